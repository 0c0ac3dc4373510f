"""Nothing that a terminal, a reader of HTML or a spreadsheet would obey gets out of an input, whatever the command."""

from __future__ import annotations

import ast
import csv
import json
from pathlib import Path

import pytest

from homing.report.wording import csv_cell, escape, json_text, lines, printable
from tests.command_line import Homing, Ran, runner

SOURCE = Path(__file__).parents[2] / "src" / "homing"
ESCAPE, BIDI, CONTROL, BREAK = "\x1b[31m", "\u202e\u2066", "\x07\x7f\x9b", "\n  HOLDS    faked\r"
EVIL = f"{ESCAPE}{BIDI}{CONTROL}{BREAK}"


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str]) -> Homing:
    return runner(capsys)


def is_clean(text: str) -> bool:
    return all(character.isprintable() or character == "\n" for character in text)


def shown(ran: Ran) -> str:
    text = ran.out + ran.err
    assert is_clean(text), repr(text)
    assert "\n  HOLDS    faked" not in text
    assert "this is a bug" not in text
    return text


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Every name is hostile."""
    one, other, third = (f"{name}{EVIL}" for name in ("=cmd|'/c calc'!A0", "b", "c"))
    data = {
        "name": f"net{EVIL}",
        "brokers": [one, other, third],
        "links": [
            {"between": [one, other], "name": f"cable{EVIL}"}, {"between": [other, third]}, {"from": one, "to": third},
        ],
        "topics": [
            {"name": f"topic{EVIL}", "publishers": [one], "subscribers": [third], "deadline_ms": 9},
            {"name": f"silent{EVIL}", "publishers": [], "subscribers": [third]},
        ],
        "risk_groups": [{"name": f"duct{EVIL}", "links": [f"cable{EVIL}"]}],
    }  # fmt: skip
    path = tmp_path / "n.json"
    path.write_text(json.dumps(data))
    return path


COMMANDS = [
    ("verify", "NETWORK"),
    ("verify", "NETWORK", "--failures", "any:1-2", "--strict-switching"),
    ("verify", "NETWORK", "--json"),
    ("verify", "NETWORK", "-o", "OUT"),
    ("verify", "NETWORK", "--failures", EVIL),
    ("verify", "NETWORK", "--tolerate", EVIL),
    ("verify", f"{EVIL}.toml"),
    ("verify", f"topohub:{EVIL}"),
    ("verify", f"random:{EVIL}"),
    ("plan", "NETWORK", "--broker", f"b{EVIL}"),
    ("plan", "NETWORK", "--broker", EVIL),
    ("export", "NETWORK", "--smv", "OUT/n.smv"),
    ("export", "NETWORK", "--smv", "-", "--hops"),
    ("report", "NETWORK", "-o", "OUT/n.html"),
    ("simulate", "NETWORK", "--until", "5", "-o", "OUT"),
    ("simulate", "NETWORK", "--until", "5", "--fail", f"cable{EVIL}@2"),
    ("simulate", "NETWORK", "--until", "5", "--json"),
    ("simulate", "NETWORK", "--fail", EVIL),
    ("compare", "NETWORK", "--what", "paths", "-o", "OUT"),
    ("locate", "NETWORK", "--observed", "OUT/seen.csv"),
    (EVIL,),
]


@pytest.mark.parametrize(
    "arguments", COMMANDS, ids=lambda arguments: " ".join(arguments)[:40].encode("unicode_escape").decode()
)
def test_commands_on_networks(homing: Homing, network: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "seen.csv").write_text(f'publisher,subscriber,delivered\n"x{EVIL}",y,no\n', newline="")
    filled = [word.replace("NETWORK", str(network)).replace("OUT", str(tmp_path / "out")) for word in arguments]
    shown(homing("overlay", *filled))
    for file in (tmp_path / "out").rglob("*"):
        if file.suffix in (".smv", ".html", ".svg") or (file.suffix == ".csv" and file.name != "seen.csv"):
            assert is_clean(file.read_bytes().decode()), file.name


def test_no_cell_is_a_formula(homing: Homing, network: Path, tmp_path: Path) -> None:
    shown(homing("overlay", "simulate", network, "--until", "5", "-o", tmp_path))
    found = 0
    for file in tmp_path.glob("*.csv"):
        for row in csv.reader(file.open(newline="")):
            for cell in row:
                found += "cmd|" in cell
                assert not cell.lstrip().startswith(("=", "@", "\t", "\r")), (file.name, cell)
                assert not cell.startswith(("+", "-")) or float(cell) is not None
    assert found


MODEL = """var x = 0;
Proc() = [x < 1]go{x = 1;} -> Proc();
#assert Proc() deadlockfree;
"""


@pytest.mark.parametrize("name", [f"a{EVIL}.csp".replace("\n", "").replace("/", "")])
@pytest.mark.parametrize(
    "option", [(), ("--trace", "table"), ("--json", "-"), ("--junit", "-"), ("--itf", "OUT"), ("--msc", "OUT")]
)
def test_names_of_files(homing: Homing, tmp_path: Path, name: str, option: tuple[str, ...]) -> None:
    (tmp_path / name).write_text(MODEL)
    endings = {"--itf": "t.itf.json", "--msc": "t.svg"}
    words = [word if word != "OUT" else str(tmp_path / endings[option[0]]) for word in option]
    assert "VIOLATED" in shown(homing("check", tmp_path / name, *words)) + "".join(
        file.read_text() for file in tmp_path.glob("t.*")
    )
    for file in tmp_path.glob("t.*"):
        assert is_clean(file.read_text())
    shown(homing("check", tmp_path / f"none{name}"))
    shown(homing("replay", tmp_path / name, tmp_path / f"none{name}"))


STRINGS = f"""---- MODULE M ----
VARIABLE x
Init == x = "a"
Next == x' = "{ESCAPE}{BIDI}{CONTROL}"
Inv == x = "a"
====
"""


@pytest.mark.parametrize(
    "option", [(), ("--trace", "table"), ("--json", "-"), ("--junit", "-"), ("--itf", "OUT"), ("--msc", "OUT")]
)
def test_values_of_traces(homing: Homing, tmp_path: Path, option: tuple[str, ...]) -> None:
    (tmp_path / "M.tla").write_text(STRINGS)
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    endings = {"--itf": "t.itf.json", "--msc": "t.svg"}
    words = [word if word != "OUT" else str(tmp_path / endings[option[0]]) for word in option]
    shown(homing("check", tmp_path / "M.tla", *words))
    for file in tmp_path.glob("t.*"):
        assert is_clean(file.read_text())


def test_ways_to_write_text() -> None:
    assert printable(EVIL) == r"\x1b[31m\u202e\u2066\x07\x7f\x9b\n  HOLDS    faked\r"
    assert lines("a\nb\x1b") == "a\nb\\x1b"
    assert escape("<\x1b>") == "&lt;\\x1b&gt;"
    for text in (EVIL, "\U000e0001", "→ é 日本", "\ud800"):
        assert json.loads(json_text({"x": [text]})) == {"x": [text]}
        assert is_clean(json_text({"x": [text]}))
    assert json_text("→") == '"→"'


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", " =1", "\t=1", "\r=1", "＝1", "'=1", "\x1b"])
def test_cells_that_spreadsheets_would_run(text: str) -> None:
    assert csv_cell(text).startswith("'")


@pytest.mark.parametrize("text", ["a", "", "-3.5", "+1e3", "a=b", "3-4"])
def test_cells_that_are_left_alone(text: str) -> None:
    assert csv_cell(text) == text


def test_text_leaves_by_one_door() -> None:
    """`print`, `sys.stdout.write` and `html.escape` stand only where everything is made printable first."""
    doors = {"report/files.py", "report/progress.py", "report/wording.py", "report/output.py"}
    for file in sorted(SOURCE.rglob("*.py")):
        if file.relative_to(SOURCE).as_posix() in doors:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="print")):
                    pytest.fail(f"{file}:{node.lineno} prints by itself; use homing.report.files.say")
                case ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"), attr="write"
                ):
                    pytest.fail(f"{file}:{node.lineno} writes by itself; use homing.report.files")
                case ast.ImportFrom(module="html", names=names) if any(name.name == "escape" for name in names):
                    pytest.fail(f"{file}:{node.lineno} escapes by itself; use homing.report.wording.escape")
