"""The products of compiling: optimised code for other kernels, and machine code for Python."""

from typing import Any, Final

from llvmlite import binding as llvm
from numba.core import codegen

LARGEST_INLINED: Final = 400  # Lines of code. The optimiser inlines nothing longer.


class CodeLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped.
    """Optimised code of one kernel, without machine code.

    source: module, name and argument types of the kernel. symbol: its name in the code of callers; each compilation
    makes a new one. callees: the libraries of the kernels that it calls. The optimiser may inline their code here, but
    this library keeps only its own code; an entry links them all.
    """

    source: tuple[str, str, Any]
    symbol: str

    def __init__(self, owner: Any, name: str) -> None:
        super().__init__(owner, name)
        self.callees: list[CodeLibrary] = []
        self._to_inline: Any = None

    def fill(self, source: tuple[str, str, Any], symbol: str, bitcode: bytes, callees: list["CodeLibrary"]) -> None:
        """Fill the library from the cache."""
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
        """Show the code to a caller's module for inlining; the caller keeps no copy."""
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
    """Machine code of a wrapper for Python and of the optimised code that it calls."""

    def add_code(self, code: CodeLibrary) -> None:
        for library in _callers_first(code):
            library.give_to(self._final_module)

    def _optimize_final_module(self) -> None:
        pass


def _relinked(module: Any, linkage: str) -> Any:
    """A copy of a module, with another linkage for its public functions."""
    module = module.clone()
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = linkage
    return module


def _callers_first(code: CodeLibrary) -> list[CodeLibrary]:
    """All libraries that a code needs, callers first: the linker drops what nothing before it calls."""
    found: dict[CodeLibrary, None] = {}

    def visit(library: CodeLibrary) -> None:
        if library not in found:
            for callee in library.callees:
                visit(callee)
            found[library] = None

    visit(code)
    return list(found)[::-1]
