"""Files that a specification reads and writes: only where it may."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import counts, write

from homing import checking
from homing.core.errors import HomingError
from homing.core.result import Options, Report
from homing.languages.tla import load_one

HEAD = "EXTENDS Integers, Sequences, TLC, Json, CSV\nIO == INSTANCE IOUtils\n"


def _checked(folder: Path, spec: str, config: str = "", allow: Path | None = None) -> Report:
    report = checking.check(load_one(write(folder, HEAD + spec, config), allow_write=allow), options=Options(threads=1))
    if report.error is not None:
        raise report.error
    return report


def _assumed(folder: Path, text: str, allow: Path | None = None) -> None:
    _checked(folder, f"ASSUME {text}", allow=allow)


def test_what_is_written_is_what_tlc_writes(tmp_path: Path) -> None:
    """The files that TLC made of the same calls; but for the columns of a record, which TLC sorts by first mention."""
    out = tmp_path / "out"
    value = '<<[a |-> 1, b |-> <<TRUE, "x\\"y">>], [a |-> {2, 1}, b |-> (0 :> 5)]>>'
    _assumed(tmp_path, f'JsonSerialize("deep/a.json", {value}) /\\ ndJsonSerialize("b.ndjson", {value})', out)
    one, other = '{"a":1,"b":[true,"x\\"y"]}', '{"a":[1,2],"b":{"0":5}}'
    assert (out / "deep/a.json").read_text() == f"[{one},{other}]"
    assert (out / "b.ndjson").read_text() == f"{one}\n{other}\n"
    _assumed(tmp_path, 'CSVWrite("%1$s#%2$s#%1$s", <<"abc", {1, 2}>>, "c.csv") /\\ CSVRecords("c.csv") = 1', out)
    assert (out / "c.csv").read_text() == '"abc"#{1, 2}#"abc"\n'
    record = '[name |-> "Al", age |-> 30]'
    text = f'CSVWriteRecord({record}, ",", TRUE, "d.csv") /\\ CSVWriteRecord({record}, ",", FALSE, "d.csv")'
    _assumed(tmp_path, text, out)
    assert (out / "d.csv").read_text() == 'age,name\n30,"Al"\n30,"Al"\n'
    options = '[format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>]'
    _assumed(tmp_path, f'IO!Serialize("some text", "e.txt", {options}).exitValue = 0', out)
    assert (out / "e.txt").read_text() == "some text"


def test_what_is_beside_the_specification_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": [1, true, "x"], "b": {}}')
    (tmp_path / "b.ndjson").write_text('{"a": 1}\n\n[2]\n')
    (tmp_path / "c.csv").write_text("x,1\ny,2\n")
    _assumed(tmp_path, 'JsonDeserialize("a.json").a[3] = "x"')
    _assumed(tmp_path, 'ndJsonDeserialize("b.ndjson")[2] = <<2>> /\\ Len(ndJsonDeserialize("b.ndjson")) = 2')
    _assumed(tmp_path, 'CSVRead(<<"k", "n">>, ",", "c.csv")[2] = [k |-> "y", n |-> "2"]')
    _assumed(tmp_path, 'CSVRead(<<"k">>, ",", "none.csv") = <<>> /\\ CSVRecords("c.csv") = 2')
    options = '[format |-> "TXT", charset |-> "UTF-8"]'
    _assumed(tmp_path, f'IO!Deserialize("c.csv", {options}).stdout = "x,1\\ny,2\\n"')


@pytest.mark.parametrize(
    "text", ['JsonSerialize("x", <<1>>)', 'CSVWrite("%1$s", <<1>>, "x")', 'ndJsonSerialize("x", <<>>)']
)
def test_nothing_is_written_unless_allowed(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomingError, match="which needs --allow-write FOLDER"):
        _assumed(tmp_path, text)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", ["../x", "{outside}/x", "link/x", "file"])
def test_nothing_is_written_outside(name: str, tmp_path: Path) -> None:
    """Nor through a link that leads there."""
    out, outside = tmp_path / "out", tmp_path / "outside"
    out.mkdir()
    outside.mkdir()
    (out / "link").symlink_to(outside)
    (outside / "victim").write_text("as it was")
    (out / "file").symlink_to(outside / "victim")
    with pytest.raises(HomingError, match="outside the folder of --allow-write"):
        _assumed(tmp_path, f'JsonSerialize("{name.format(outside=outside)}", <<1>>)', out)
    assert (outside / "victim").read_text() == "as it was"
    assert [path.name for path in outside.iterdir()] == ["victim"]
    assert not (tmp_path / "x").exists()


def test_nothing_is_read_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.json").write_text("[1]")
    for name in ("../secret.json", str(tmp_path / "secret.json"), "/etc/passwd"):
        with pytest.raises(HomingError, match="not in the folder of the specification"):
            _assumed(home, f'JsonDeserialize("{name}") = <<1>>')


@pytest.mark.parametrize(
    "text", ['IO!IOExec(<<"ls">>)', 'IO!IOEnvExec([a |-> "b"], <<"ls">>)', 'IO!IOExecTemplate(<<"ls">>, <<>>)']
)
def test_no_program_is_run(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomingError, match="is not supported: it runs a program"):
        _assumed(tmp_path, f"{text}.exitValue = 0", tmp_path)


def test_what_is_written_while_checking(tmp_path: Path) -> None:
    """Each state that is asked about writes a line, once."""
    spec = 'VARIABLE x\nInit == x = 0\nNext == x\' = (x + 1) % 3\nSeen == CSVWrite("%1$s", <<x>>, "states.csv")\n'
    report = _checked(tmp_path, spec, "INIT Init NEXT Next INVARIANT Seen", tmp_path / "out")
    assert counts(report) == (3, 4, 3)
    assert sorted((tmp_path / "out/states.csv").read_text().split()) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('JsonDeserialize("bad.json") = 1', "bad.json is no JSON"),
        ('JsonDeserialize("none.json") = 1', "none.json cannot be read"),
        ('CSVRead(<<"a", "b">>, ",", "bad.json") = 1', "does not have 2 columns"),
        ("JsonSerialize(1, <<1>>)", "which is no name of a file"),
        ('JsonSerialize("x", 1)', "not a sequence or a record"),
        ('CSVWrite("%2$s", <<1>>, "x")', "cannot fill in"),
    ],
)
def test_bad_files_and_names(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{1")
    with pytest.raises(HomingError, match=said.replace("$", "\\$")):
        _assumed(tmp_path, text, tmp_path / "out")
