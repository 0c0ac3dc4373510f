"""Builds .venv from a lock file. Called by ./homing as `setup.py <name of the lock>`.

Standard library only, and little of it: Debian's python3-minimal must get as far as a clear
message. Everything is said on stderr, since stdout belongs to the command that follows.
"""

import contextlib
import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
RUNTIME, DEV = "requirements.lock", "requirements-dev.lock"
# The real file, not python3: when the distribution moves on to the next minor version the link in
# .venv dangles and is rebuilt, instead of starting a Python that has no packages.
PYTHON = os.path.realpath(sys.executable)
PYTHON_NAME = f"python3.{sys.version_info.minor}"
OLDEST_JAVA = 17
APT_LIMIT_SECONDS = 900
# Comes as source only. It is pure Python and jars, so its build needs no compiler.
SOURCE_ONLY = "pyspark"


class SetupError(Exception):
    """Setup cannot go on; the text is the sentence shown to the user."""


def say(text: str) -> None:
    print(f"homing: {text}", file=sys.stderr, flush=True)


def run(command: Sequence[str], *, timeout: float | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs a command quietly; a command that cannot start or hangs counts as failed."""
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout,
            env={**os.environ, **env},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 127, str(error))


def works(*command: str) -> bool:
    return run(command, timeout=120).returncode == 0


def tail(text: str, lines: int = 12) -> str:
    return "\n".join("    " + line for line in text.strip().splitlines()[-lines:])


# --- locks and stamps


@contextlib.contextmanager
def only_one() -> Iterator[None]:
    """Two first starts at once: the second waits and then finds everything done."""
    # Beside .venv and not in it, because a rebuild removes .venv.
    with open(os.path.join(ROOT, ".setup.lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another setup to finish ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def read_bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def write_whole(path: str, content: bytes) -> None:
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)


def stamp_path(lock: str) -> str:
    return os.path.join(VENV, lock)


def is_stamped(lock: str) -> bool:
    stamp = read_bytes(stamp_path(lock))
    return stamp is not None and stamp == read_bytes(os.path.join(ROOT, lock))


def is_healthy() -> bool:
    """The venv's Python starts and still looks into the folder the packages are in."""
    check = "import os, sys, sysconfig; p = sysconfig.get_path('purelib')"
    return works(VENV_PYTHON, "-c", check + "; sys.exit(not os.path.exists(p + '/homing.pth'))")


def is_complete(lock: str) -> bool:
    return is_stamped(lock) and is_healthy()


def can_be_extended() -> bool:
    """A venv made from today's runtime lock, without tools of an older development lock."""
    return is_complete(RUNTIME) and not os.path.exists(stamp_path(DEV))


# --- Debian and Ubuntu packages


def may_use_apt() -> bool:
    return (
        os.geteuid() == 0
        and os.path.exists("/etc/debian_version")
        and shutil.which("apt-get") is not None
        and not os.environ.get("HOMING_NO_APT")
    )


def apt(*arguments: str) -> bool:
    options = ["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::http::Timeout=30", "-qq"]
    result = run(
        ["apt-get", *options, *arguments],
        timeout=APT_LIMIT_SECONDS,
        DEBIAN_FRONTEND="noninteractive",
    )
    return result.returncode == 0


def apt_install(*alternatives: str) -> bool:
    """Installs the first of the packages that this release has."""
    say(f"installing {alternatives[0]} with apt-get ...")
    apt("update")  # its failure shows in the install, which may still work from the old lists
    return any(apt("install", "-y", "--no-install-recommends", name) for name in alternatives)


# --- the virtual environment


def remove_venv() -> None:
    # Stamps first: a start during the removal must not take the fast path.
    for lock in (RUNTIME, DEV):
        with contextlib.suppress(OSError):
            os.unlink(stamp_path(lock))
    if os.path.islink(VENV) or os.path.isfile(VENV):
        os.unlink(VENV)
    elif os.path.isdir(VENV):
        shutil.rmtree(VENV)


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def has_outer_pip() -> bool:
    """pip learned `--python` in 22.3."""
    found = re.match(r"pip (\d+)\.(\d+)", run([PYTHON, "-m", "pip", "--version"]).stdout)
    return found is not None and (int(found[1]), int(found[2])) >= (22, 3)


def try_venv() -> bool:
    return has_module("ensurepip") and works(PYTHON, "-m", "venv", VENV)


def try_outer_pip() -> bool:
    return has_outer_pip() and works(PYTHON, "-m", "venv", "--without-pip", VENV)


def try_virtualenv() -> bool:
    return works(PYTHON, "-m", "virtualenv", VENV) or works("virtualenv", "-p", PYTHON, VENV)


def try_uv() -> bool:
    return works("uv", "venv", "--quiet", "--python", PYTHON, VENV)


def try_apt() -> bool:
    # Only the distribution's own Python: its package does nothing for one built elsewhere.
    if not PYTHON.startswith("/usr/bin/") or not may_use_apt():
        return False
    if not apt_install(f"{PYTHON_NAME}-venv"):
        return False
    # A new process looks: this one remembers that ensurepip was not there.
    return works(PYTHON, "-m", "venv", VENV)


def make_venv() -> None:
    for attempt in (try_venv, try_outer_pip, try_virtualenv, try_uv, try_apt):
        remove_venv()  # an attempt that failed halfway leaves a folder behind
        if attempt() and works(VENV_PYTHON, "-c", "import sys"):
            return
    remove_venv()
    raise SetupError(
        f"{PYTHON} cannot make virtual environments; install the package {PYTHON_NAME}-venv "
        "(Debian, Ubuntu), virtualenv or uv, and start again."
    )


def install_command() -> list[str]:
    pip = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--no-compile"]
    if works(VENV_PYTHON, "-m", "pip", "--version"):
        return [VENV_PYTHON, "-m", "pip", "install", *pip]
    if has_outer_pip():
        return [PYTHON, "-m", "pip", "--python", VENV_PYTHON, "install", *pip]
    if shutil.which("uv"):
        return ["uv", "pip", "install", "--quiet", "--no-deps", "--python", VENV_PYTHON]
    raise SetupError(f"no pip for {PYTHON}; install pip or uv, and start again.")


def install(lock: str) -> None:
    # Wheels only: a package without one would need compilers, and its build would run code that
    # no hash here covers. The one exception is built by the setuptools just installed, which the
    # lock has a hash of, instead of one that pip would fetch for the build.
    wheels, source = split(lock)
    install_part(lock, wheels, "--only-binary", ":all:")
    if source:
        install_part(lock, source, "--no-binary", SOURCE_ONLY, "--no-build-isolation")
    compile_modules()


def install_part(lock: str, part: str, *options: str) -> None:
    path = os.path.join(VENV, "part-of-" + lock)
    write_whole(path, part.encode())
    result = run([*install_command(), *options, "--require-hashes", "-r", path], PIP_USER="0")
    os.unlink(path)
    if result.returncode != 0:
        print(tail(result.stdout), file=sys.stderr)
        raise SetupError(f"could not install {lock}: see the lines above, and check the network.")


def compile_modules() -> None:
    """What pip would do, on all cores and without the packages' own tests; starts are slower without it, no more."""
    packages = run([VENV_PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).stdout.strip()
    run([VENV_PYTHON, "-m", "compileall", "-q", "-j", "0", "-x", "/tests?/", packages], timeout=600)


def split(lock: str) -> tuple[str, str]:
    """The lock's requirements: those that have wheels, and the one that has not."""
    text = (read_bytes(lock_path(lock)) or b"").decode()
    requirements = re.split(r"^(?=\S)", text, flags=re.MULTILINE)  # their hashes are indented
    source = [text for text in requirements if text.startswith(SOURCE_ONLY + "==")]
    return "".join(text for text in requirements if text not in source), "".join(source)


def lock_path(lock: str) -> str:
    return os.path.join(ROOT, lock)


def link_source() -> None:
    """Puts src on the venv's path; relative, so that a moved clone runs its own source."""
    ask = [VENV_PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = os.path.realpath(run(ask).stdout.strip())
    line = os.path.relpath(os.path.join(ROOT, "src"), packages) + "\n"
    write_whole(os.path.join(packages, "homing.pth"), line.encode())


# --- Java, for Spark only


def java_at(command: str) -> tuple[int, str] | None:
    """Version and home of a Java, or None if it does not run."""
    text = run([command, "-XshowSettings:properties", "-version"], timeout=60).stdout
    version = re.search(r'version "(?:1\.)?(\d+)', text)  # Java 8 calls itself 1.8
    home = re.search(r"^\s*java\.home = (.+)$", text, re.MULTILINE)
    return (int(version[1]), home[1].strip()) if version and home else None


def find_java() -> tuple[int, str] | None:
    home = os.environ.get("JAVA_HOME")
    for command in ([os.path.join(home, "bin", "java")] if home else []) + ["java"]:
        java = java_at(command)
        if java and java[0] >= OLDEST_JAVA:
            return java
    return None


def install_java() -> tuple[int, str] | None:
    if not may_use_apt():
        return None
    with contextlib.suppress(OSError):
        # Slim images have no manual pages, and Java's package fails to link its own there.
        os.makedirs("/usr/share/man/man1", exist_ok=True)
    apt_install(f"openjdk-{OLDEST_JAVA}-jre-headless", "default-jre-headless")
    return find_java()


def record_java() -> None:
    """Writes .venv/java ("17 /its/home", or empty) so that no start has to search for it."""
    java = find_java() or install_java()
    if java is None:
        say(
            f"no Java {OLDEST_JAVA} or later found; only Spark jobs need it "
            f"(install openjdk-{OLDEST_JAVA}-jre-headless or set JAVA_HOME)."
        )
    record = f"{java[0]} {java[1]}\n" if java else ""
    write_whole(os.path.join(VENV, "java"), record.encode())


# --- all of it


def set_up(lock: str) -> None:
    if is_complete(lock):
        os.utime(stamp_path(lock))  # newer than the Python again, so that ./homing stops asking
        return
    # Read before installing: a lock edited meanwhile must not count as installed.
    names = [RUNTIME] if lock == RUNTIME else [RUNTIME, DEV]  # the second includes the first
    stamps = {name: read_bytes(lock_path(name)) for name in names}
    if lock == DEV and can_be_extended():
        say("adding the development tools to .venv (once) ...")
    else:
        say(f"setting up .venv with {PYTHON_NAME} (once) ...")
        make_venv()
    install(lock)
    link_source()
    if not os.path.exists(os.path.join(VENV, "java")):
        record_java()
    for name, content in stamps.items():
        write_whole(stamp_path(name), content or b"")


def main(lock: str) -> int:
    try:
        with only_one():
            set_up(lock)
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(f"setup failed: {error}.")
    except KeyboardInterrupt:
        say("setup interrupted; the next start does it again.")
        return 130
    else:
        return 0
    return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else RUNTIME))
