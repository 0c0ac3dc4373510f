"""`homing reproduce`: what it prints and writes; the marks of every claim are in `marks.toml`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from homing import bundled, cli
from homing.reproducing.claims import Record, read
from homing.reproducing.judging import WORDS
from homing.reproducing.running import Reproduction
from tests.scale import SCALE

MARKS = tomllib.loads((Path(__file__).parent / "marks.toml").read_text())
PAPERS = [paper.name for paper in read().papers]


def test_all_that_is_asked_about_came_along() -> None:
    for question in read().questions():
        for key in ("model", "trace", "network"):
            name = question.about.get(key, "")
            assert not name.startswith(("models/", "networks/")) or bundled.path(name).is_file()


def test_verdicts_are_written_in_words_that_are_known() -> None:
    known = {word for words in WORDS.values() for word in words}
    published = [claim.published or {} for claim in read().claims]
    assert {facts["verdict"] for facts in published if "verdict" in facts} <= known


def test_every_claim_says_where_it_is_from() -> None:
    assert all(claim.source and claim.text for claim in read().claims)
    assert len({(claim.paper, claim.text) for claim in read().claims}) == len(read().claims)
    assert {claim.paper for claim in read().claims} == {finding.paper for finding in read().findings} == set(PAPERS)


@pytest.mark.skipif(SCALE < 2, reason="all models are checked: left to larger runs of the tests, and to the command")
@pytest.mark.parametrize("paper", PAPERS)
def test_marks_are_as_they_were(paper: str) -> None:
    done = Reproduction(read().only([paper]))
    judged = done.measure_claims(paper, lambda progress: None)
    assert {each.claim.text: each.mark.value for each in judged} == MARKS[paper]
    done.measure_findings(lambda progress: None)
    assert done.exit_code == 0


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = ["--html", str(tmp_path / "page"), "--json", str(tmp_path / "claims.json")]
    code = cli.run(["reproduce", "--paper", "rtps-csp", *written])
    out = capsys.readouterr().out
    assert code == 0
    assert "1 paper, 10 claims: 6 agree, 1 differs, 3 stronger forms; 2 of 2 findings beyond them shown" in out
    assert "The heartbeat's guard is inverted" in out
    claims = json.loads((tmp_path / "claims.json").read_text())["claims"]
    assert {"paper", "claim", "published", "measured", "mark", "note"} <= set(claims[0])
    assert {claim["claim"]: claim["mark"] for claim in claims} == MARKS["rtps-csp"]
    page = (tmp_path / "page" / "index.html").read_text()
    assert page.count("<svg") >= 5
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_document_on_stdout_is_alone_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [claim for claim in read().claims if claim.source == "Table 6-3"]
    monkeypatch.setattr("homing.reproducing.claims.read", lambda: Record(read().papers[-1:], tuple(small), ()))
    assert cli.run(["reproduce", "--json", "-"]) == 0
    assert [claim["mark"] for claim in json.loads(capsys.readouterr().out)["claims"]] == ["agrees"]


def test_unknown_papers(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["reproduce", "--paper", "mqtt"]) == 3
    assert capsys.readouterr().err.startswith("homing: unknown paper 'mqtt'; declared: kafka-csp, rabbitmq-ta")
