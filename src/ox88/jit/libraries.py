"""What a kernel is compiled into: optimised code for other kernels, and machine code for Python."""

from typing import Any, Final

from llvmlite import binding as llvm
from numba.core import codegen

LARGEST_INLINED: Final = 400  # Lines of code. The optimiser never takes more into a caller.


class CodeLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped.
    """Optimised code of one kernel. It never becomes machine code itself.

    source: module, name and types of the arguments of the kernel. symbol: what callers' code calls it by, another one
    with each compilation. callees: the libraries of the kernels that it calls. While this one is optimised it may take
    copies of theirs in, but it keeps only what is its own; an entry brings all of them together.
    """

    source: tuple[str, str, Any]
    symbol: str

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(owner, name)
        self.callees: list[CodeLibrary] = []
        self._to_inline: Any = None

    def fill(self, source: tuple[str, str, Any], symbol: str, bitcode: bytes, callees: list["CodeLibrary"]) -> None:
        """Take what is in the cache."""
        self.source = source
        self.symbol = symbol
        self.callees = callees
        self._final_module = llvm.parse_bitcode(bitcode)
        self._finalized = True

    def as_bitcode(self) -> bytes:
        return bytes(self._final_module.as_bitcode())

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, CodeLibrary):
            super().add_linking_library(library)
        elif library not in self.callees:
            self.callees.append(library)

    def finalize(self) -> None:
        for callee in self.callees:
            callee.lend_to(self._final_module)
        super().finalize()

    def lend_to(self, module: Any) -> None:
        """Let a caller's module see the code, to take it in where that pays; no copy stays there."""
        if self._to_inline is None:
            self._to_inline = _relinked(self._final_module, "available_externally") if self._is_small() else False
        if self._to_inline:
            module.link_in(self._to_inline, preserve=True)

    def give_to(self, module: Any) -> None:
        module.link_in(_relinked(self._final_module, "linkonce_odr"))

    def _is_small(self) -> bool:
        return str(self._final_module).count("\n") <= LARGEST_INLINED

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class EntryLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped.
    """A wrapper for Python around code that is already optimised, and the machine code of both."""

    def add_code(self, code: CodeLibrary) -> None:
        for library in _callers_first(code):
            library.give_to(self._final_module)

    def _optimize_final_module(self) -> None:
        pass


def _relinked(module: Any, linkage: str) -> Any:
    """A copy, with another linkage for what the module defines for others."""
    module = module.clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = linkage
    return module


def _callers_first(code: CodeLibrary) -> list[CodeLibrary]:
    """All that a code reaches. The linker takes in only what something before it calls."""
    found: dict[CodeLibrary, None] = {}

    def visit(library: CodeLibrary) -> None:
        if library not in found:
            for callee in library.callees:
                visit(callee)
            found[library] = None

    visit(code)
    return list(found)[::-1]
