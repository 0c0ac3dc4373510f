"""Each file in `bad` has one mistake, and says in its first line how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from homing.core.errors import HomingError
from homing.languages.common.files import text_of
from homing.languages.csp.parsing import parse
from homing.languages.csp.resolving import check

FILES = sorted((Path(__file__).parent / "bad").glob("*.csp"))
EXPECT = "// expect: "


def test_there_are_bad_files() -> None:
    assert len(FILES) >= 40


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_bad_file(file: Path) -> None:
    text = text_of(file)
    first = text.partition("\n")[0]
    assert first.startswith(EXPECT)
    with pytest.raises(HomingError) as error:
        check(parse(text, file.name))
    assert str(error.value).startswith(f"{file.name}:{first.removeprefix(EXPECT)}")
