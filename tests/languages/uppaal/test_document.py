"""What is taken for a model, and what of XML is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.uppaal.support import HEAD, Source, Template

from homing import languages
from homing.core.errors import HomingError
from homing.languages import uppaal

BODY = "<nta><template><name>P</name><location id='a'/><init ref='a'/></template><system>system P;</system></nta>"
PUBLIC = "PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN'"


def written(folder: Path, text: str, name: str = "m.xml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def refused(file: Path) -> str:
    with pytest.raises(HomingError) as error:
        languages.load(file)
    return str(error.value).replace(f"{file.parent}/", "")


@pytest.mark.parametrize("number", range(1, 7))
def test_document_types(tmp_path: Path, number: int) -> None:
    kind = f"<!DOCTYPE nta {PUBLIC} 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_{number}.dtd'>"
    (model,) = uppaal.load(written(tmp_path, kind + BODY))
    assert model.properties == ()
    assert [str(slot) for slot in model.system.shape.slots] == ["system"]


def test_without_a_document_type(tmp_path: Path) -> None:
    uppaal.load(written(tmp_path, BODY))


def test_an_encoding_that_is_not_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "m.xml"
    text = "<?xml version='1.0' encoding='iso-8859-1'?>" + BODY.replace("<system>", "<system>// für alle\n")
    file.write_bytes(text.encode("latin-1"))
    uppaal.load(file)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        (
            "<!DOCTYPE nta [<!ENTITY a 'b'>]>" + BODY,
            "m.xml:1:15: a document type with declarations of its own, such as entities, is refused",
        ),
        (
            f"<!DOCTYPE nta {PUBLIC} 'http://u/flat-1_1.dtd' [<!ENTITY % p SYSTEM 'http://x/y'> %p;]>" + BODY,
            "m.xml:1:88: a document type with declarations of its own, such as entities, is refused",
        ),
        (
            "<!DOCTYPE nta SYSTEM 'file:///etc/passwd'>" + BODY,
            "m.xml:1:42: a reference to 'file:///etc/passwd' is refused; only UPPAAL's own document type is named",
        ),
        (HEAD + "<nta>&a;</nta>", "m.xml:3:6: the entity 'a' is refused: entities are not read"),
        ("<nta>&a;</nta>", "m.xml:1:6: no XML: undefined entity"),
        ("<nta><template></nta>", "m.xml:1:18: no XML: mismatched tag"),
        ("", "m.xml:1:1: no XML: no element found"),
        ("<html/>", "m.xml:1:1: is no UPPAAL model: its root element is 'html', not 'nta'"),
        ("<nta/>", "m.xml:1:1: the model has no system section"),
        ("<nta>" + "<a>" * 60, "m.xml:1:153: elements stand in one another more than 50 levels deep"),
        (BODY.replace("<name>P</name>", ""), "m.xml:1:6: a template has no name"),
        (BODY.replace("<init ref='a'/>", ""), "m.xml:1:6: template P has no initial location"),
        (BODY.replace("<location id='a'/>", ""), "m.xml:1:6: template P has no location"),
        (BODY.replace("ref='a'", "ref='b'"), "m.xml:1:48: template P: there is no location 'b'; declared: a"),
        (
            BODY.replace("<init", "<branchpoint id='c'/><init"),
            "m.xml:1:48: template P: branch points are probabilistic, which is not supported",
        ),
        (
            BODY.replace("<location id='a'/>", "<location id='a'><label kind='exponentialrate'>3</label></location>"),
            "m.xml:1:77: the exponentialrate of the location a of template P: exponential rates are stochastic,"
            " which is not supported",
        ),
        (
            BODY.replace("<system>", "<lsc><name>L</name></lsc><system>"),
            "m.xml:1:74: live sequence charts are not supported",
        ),
        (
            BODY.replace("<init", "<location id='b'><name>a</name></location><init"),
            "m.xml:1:48: template P: the location 'a' is there twice",
        ),
    ],
)
def test_refused(tmp_path: Path, text: str, mistake: str) -> None:
    assert refused(written(tmp_path, text)) == mistake


def test_older_formats_are_refused_by_name(tmp_path: Path) -> None:
    assert refused(written(tmp_path, "clock x;", "m.xta")) == (
        "m.xta: is in UPPAAL's older format of text, which is not read: save it as XML"
    )


def test_places_go_through_escapes_and_sections(tmp_path: Path) -> None:
    text = HEAD + BODY.replace(
        "<system>", "<declaration>int a = 1 &amp;&amp; &#49; &lt; 2;\nint b =  c;</declaration><system>"
    )
    text = text.replace("<nta>", "<nta><declaration><![CDATA[int d = 1 < 2;\n int e = f;]]></declaration>", 1)
    assert refused(written(tmp_path, text)) == "m.xml:4:10: the declarations: unknown name 'f'; declared: d"


def test_a_folder_holds_only_models(tmp_path: Path) -> None:
    model = written(tmp_path, BODY)
    written(tmp_path, "<project/>", "pom.xml")
    written(tmp_path, "<nta", "broken.xml")
    assert languages.find(tmp_path) == [model]


def test_instantiations_of_older_files(tmp_path: Path) -> None:
    text = BODY.replace("<system>system P;", "<instantiation>Q := P();</instantiation><system>system Q;")
    (model,) = uppaal.load(written(tmp_path, text))
    assert model.properties == ()


def test_comments_of_labels_say_nothing(tmp_path: Path) -> None:
    labels = {"comments": "any text ((", "testcode": "&& more", "guard": "true"}
    assert len(Source([Template("P", ["A"], [("A", "A", labels)])]).load(tmp_path).actions()) == 1
