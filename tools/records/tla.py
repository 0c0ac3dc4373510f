"""TLC's answers to the cases of TLA+, from a folder with its sources and classes.

The tool is the folder `org.lamport.tlatools` of github tlaplus/tlaplus, compiled into `class`, with the community
modules in `lib/CommunityModules.jar`. All cases run in one process (`Tlc.java`).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.languages.catalogue.case import ERROR, Case

DRIVER = Path(__file__).parent / "Tlc.java"
JAVA = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
MESSAGE = re.compile(r"@!@!@STARTMSG (\d+):(\d) @!@!@\n(.*?)@!@!@ENDMSG \1 @!@!@", re.DOTALL)
VIOLATED = {2107: "P", 2108: "P", 2110: "P", 2112: "P", 2114: "deadlock free", 2116: "P"}
"""Messages on what is violated, by their numbers: invariants, action properties, deadlock, temporal properties."""
COUNTS = r"(\d+) states? generated (\d+) distinct states? found (\d+) states? left"
TRACE = {2121, 2217, 2218, 2122, 2264}
"""Messages that show a behaviour, and warnings."""


def answers(cases: Iterable[Case], tool: str) -> tuple[str, Mapping[str, str]]:
    """The version of TLC, and its answer to each case."""
    folder = Path(tool)
    libraries = [folder / "class", folder / "src", *sorted((folder / "lib").glob("*/*.jar"))]
    path = os.pathsep.join(map(str, [*libraries, folder / "lib" / "CommunityModules.jar"]))
    described = ["git", "-C", tool, "describe", "--always", "--tags"]
    version = subprocess.run(described, capture_output=True, text=True, check=True).stdout.strip()
    modules = ", ".join(path.stem for path in sorted((folder / "lib").glob("CommunityModules-*")))
    with TemporaryDirectory() as name:
        folders = {str(_written(Path(name) / str(number), case)): case for number, case in enumerate(cases)}
        _run(path, folders)
        found = {case.key: answer(case, (Path(each) / "out.txt").read_text("utf-8")) for each, case in folders.items()}
    return f"TLC {version} with {modules}", found


def _written(folder: Path, case: Case) -> Path:
    folder.mkdir()
    for name, text in case.files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def _run(path: str, folders: Iterable[str]) -> None:
    """Runs TLC in each folder; where it twice ends the process, as when it cannot show a trace, goes on behind."""
    command, left, ended = ["java", *JAVA.split(), str(DRIVER), path], list(folders), ""
    while left:
        subprocess.run(command, input="\n".join(left) + "\n", stdout=subprocess.DEVNULL, text=True, check=False)
        left = [folder for folder in left if not (Path(folder) / "out.txt").exists()]
        if left and left[0] == ended:
            (Path(left.pop(0)) / "out.txt").write_text("TLC ended the process", "utf-8")
        ended = left[0] if left else ""


def answer(case: Case, printed: str) -> str:
    """The answer in what TLC printed: as `tests.languages.catalogue.tla.answer` says it of a report."""
    found = {int(code): text for code, severity, text in MESSAGE.findall(printed) if int(code) not in TRACE}
    failed = {int(code) for code, severity, _ in MESSAGE.findall(printed) if severity == "1"} - TRACE
    if failed - set(VIOLATED) or 2199 not in found:
        return ERROR
    if "NEXT" not in case.files["Case.cfg"] and "SPECIFICATION" not in case.files["Case.cfg"]:
        return "assumptions HOLDS"
    generated, distinct, left = re.findall(COUNTS, found[2199].replace(",", ""))[0]
    if left != "0":  # it stopped at an error that has no message of its own
        return ERROR
    depth = re.findall(r"search is (\d+)", found[2194].replace(",", "")) if distinct != "0" else []
    bad = sorted(f"{name} VIOLATED" for name in {VIOLATED[code] for code in failed})
    return ", ".join([f"{distinct} distinct", f"{generated} generated", *(f"depth {each}" for each in depth), *bad])
