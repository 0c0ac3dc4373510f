"""Networks in: every format, and every mistake with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homing.core.errors import HomingError
from homing.overlay.network import from_json
from homing.overlay.readers import expand, load

TOML = """name = "t"
brokers = ["a", "b", "c"]
[[links]]
between = ["a", "b"]
cost = 2
latency_ms = 1.5
[[links]]
from = "b"
to = "c"
[[topics]]
name = "x"
publishers = ["a"]
subscribers = ["b", "c"]
deadline_ms = 9
"""
YAML = """name: t
brokers: [a, b, c]
links:
  - {between: [a, b], cost: 2, latency_ms: 1.5}
  - from: b
    to: c
topics:
  - name: x
    publishers: [a]
    subscribers: [b, c]
    deadline_ms: 9
"""
JSON = json.dumps(
    {
        "name": "t",
        "brokers": ["a", "b", "c"],
        "links": [{"between": ["a", "b"], "cost": 2, "latency_ms": 1.5}, {"from": "b", "to": "c"}],
        "topics": [{"name": "x", "publishers": ["a"], "subscribers": ["b", "c"], "deadline_ms": 9}],
    },
    indent="\t",
)
GML = """graph [
  directed 0
  Network "zoo"
  node [ id 0 label "Berlin" Longitude 13.4 Latitude 52.5 ]
  node [ id 1 label "None" ]
  node [ id 2 label "None" ]
  edge [ source 0 target 1 ]
  edge [ source 1 target 0 ]
  edge [ source 1 target 1 ]
  edge [ source 1 target 2 weight 3 ]
]
"""
GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key attr.name="label" for="node" id="d1"/>
  <key attr.name="weight" for="edge" id="d2"/>
  <graph edgedefault="undirected">
    <node id="n0"><data key="d1">Berlin</data></node>
    <node id="n1"><data key="d1">Bonn</data></node>
    <edge source="n0" target="n1"><data key="d2">4</data></edge>
  </graph>
</graphml>
"""


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


@pytest.mark.parametrize(("name", "text"), [("t.toml", TOML), ("t.yaml", YAML), ("t.json", JSON)])
def test_our_own_formats_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    network = load(write(tmp_path, name, text))
    assert network == load(write(tmp_path, "again.toml", TOML))
    assert [(link.name, link.cost, link.directed) for link in network.links] == [("a-b", 2, False), ("b>c", 1, True)]
    assert network.topics[0].pairs() == ((0, 1), (0, 2))
    assert from_json(network.to_json()) == network


def test_csv_with_topics_beside(tmp_path: Path) -> None:
    source = write(tmp_path, "n.csv", "source,target,cost,directed\n10,2,1.5,no\n2,1,1,yes\n")
    write(tmp_path, "n.topics.csv", "topic,publisher,subscriber,deadline_ms\nx,10,1,5\nx,2,1,\n")
    network = load(source)
    assert network.broker_names == ("1", "2", "10")
    assert {topic.name: topic.pairs() for topic in network.topics} == {"x from 10": ((2, 0),), "x from 2": ((1, 0),)}
    assert expand(str(tmp_path)) == [source]


def test_maps_merge_parallel_links_and_drop_loops(tmp_path: Path) -> None:
    network = load(write(tmp_path, "zoo.gml", GML))
    assert network.broker_names == ("Berlin", "None 1", "None 2")
    assert [(link.source, link.target, link.cost) for link in network.links] == [(0, 1, 1), (1, 2, 3)]
    assert network.notes == ("merged 1 parallel link", "dropped 1 link from a broker to itself")


def test_graphml(tmp_path: Path) -> None:
    network = load(write(tmp_path, "zoo.graphml", GRAPHML))
    assert network.broker_names == ("Berlin", "Bonn")
    assert network.links[0].cost == 4


def test_a_link_with_a_name_of_its_own_is_parallel(tmp_path: Path) -> None:
    text = 'links = [\n{ between = ["1", "2"] },\n{ between = ["2", "1"], cost = 3, name = "spare" },\n]\n'
    assert [link.name for link in load(write(tmp_path, "n.toml", text)).links] == ["1-2", "spare"]


BOTH_ENDS = [
    ("n.csv", "source,target\n1,2\n2,1\n"),
    ("n.csv", "source,target\n1,2\n1,2\n"),
    ("n.csv", "source,target,name\n1,2,1-2\n2,1,2-1\n"),
    ("n.csv", "source,target,name\n1,2,wire\n2,1,wire\n"),
    ("n.csv", "source,target,cost,latency_ms\n1,2,3,0.5\n2,1,3,0.5\n"),
    ("n.toml", 'links = [ { between = ["1", "2"] }, { between = ["2", "1"] } ]\n'),
    ("n.yaml", "links:\n- between: ['1', '2']\n- between: ['2', '1']\n"),
    ("n.json", '{"links": [{"between": ["1", "2"]}, {"between": ["2", "1"]}]}'),
]


@pytest.mark.parametrize(("name", "text"), BOTH_ENDS)
def test_a_link_listed_from_both_ends_is_one(tmp_path: Path, name: str, text: str) -> None:
    network = load(write(tmp_path, name, text))
    assert len(network.links) == 1
    assert network.notes == ("1 link listed again, as from the other end, taken as one",)


def test_links_one_way_each_are_two(tmp_path: Path) -> None:
    network = load(write(tmp_path, "n.csv", "source,target,directed\n1,2,yes\n2,1,yes\n1,2,no\n"))
    assert [link.name for link in network.links] == ["1>2", "2>1", "1-2"]
    assert not network.notes


def test_names_of_links_that_dashes_make_alike_are_counted(tmp_path: Path) -> None:
    network = load(write(tmp_path, "n.csv", "source,target\na-b,c\na,b-c\n"))
    assert sorted(link.name for link in network.links) == ["a-b-c", "a-b-c#2"]


def test_topologies_and_generated_networks() -> None:
    abilene = load("topohub:topozoo/Abilene")
    assert (len(abilene.brokers), len(abilene.links)) == (11, 14)
    assert abilene.links[0].latency_ms > 0
    assert len(expand("topohub:topozoo/*")) > 200
    one, other = load("random:50:100:seed=7"), load("random:50:100:seed=7")
    assert one == other
    assert (len(one.brokers), len(one.links)) == (50, 100)
    assert len(load("random:9:12:topics=3:subscribers=2").topics) == 3


INLINE = """brokers = ["a", "b",  # { [ "
    'c', 'd']
links = [
    { between = ["a", "b"], name = "[{1}, 2]" }, # "x", {y}
    { between = ["b", "c"], latency_ms = 0.5 },
    { between = ["c", "d"], cost = 3 },
]
[[topics]]
name = "x"
subscribers = [
    "a",
]
publishers = ["b"]
"""
ALIASES = (
    "links:\n - " + "".join(f"[&a{n} " for n in range(60, 0, -1)) + "x" + "".join(f", *a{n}]" for n in range(1, 61))
)


BAD = [
    ("unknown broker in a link", "n.toml", TOML.replace('to = "c"', 'to = "z"'), 7, "unknown broker 'z' in a link"),
    ("in YAML", "n.yaml", YAML.replace("to: c", "to: z"), 5, "unknown broker 'z' in a link; declared: a, b, c"),
    ("in JSON", "n.json", JSON.replace('"to": "c"', '"to": "z"'), 17, "unknown broker 'z' in a link"),
    ("in CSV", "n.csv", "source,target\n1,2\n1,1\n", 3, "a link from '1' to itself"),
    ("unknown broker in a topic", "n.toml", TOML.replace('["b", "c"]\nd', '["b", "y"]\nd'), 13, "unknown broker 'y'"),
    ("negative cost", "n.toml", TOML.replace("cost = 2", "cost = -2"), 5, "negative cost: -2"),
    ("cost that is no number", "n.yaml", YAML.replace("cost: 2", "cost: low"), 4, "cost must be a number, got 'low'"),
    ("negative latency", "n.csv", "source,target,latency_ms\n1,2,-3\n", 2, "negative latency_ms: -3"),
    ("duplicate broker", "n.toml", TOML.replace('["a", "b", "c"]', '["a", "b", "a"]', 1), 2, "duplicate broker 'a'"),
    ("duplicate topic", "n.toml", TOML + '[[topics]]\nname = "x"\n', 15, "duplicate topic 'x'"),
    ("link again", "n.csv", "source,target,cost\n1,2,1\n2,1,3\n", 3, "a parallel link needs its own name"),
    ("named link again", "n.csv", "source,target,cost,name\n1,2,1,l\n2,1,3,l\n", 3, "listed again with another cost"),
    ("duplicate link", "n.csv", "source,target,name\n1,2,l\n2,3,l\n", 3, "duplicate link 'l'"),
    ("empty network", "n.toml", "", 1, "the network is empty"),
    ("empty table", "n.csv", "source,target\n", 1, "the network is empty"),
    ("unknown key", "n.toml", TOML.replace("cost", "kost"), 5, "unknown key 'kost' in links; declared: between"),
    ("unknown column", "n.csv", "from,to\n", 1, "unknown column 'from'"),
    ("short line", "n.csv", "source,target\n1,2\n3\n", 3, "1 cells under 2 columns"),
    ("not TOML", "n.toml", 'name = "t"\nbrokers = [\n', 3, "not valid TOML"),
    ("not YAML", "n.yaml", "links: [\n", 2, "not valid YAML"),
    ("not JSON", "n.json", '{"links": [}', 1, "not valid JSON"),
    ("not XML", "n.graphml", "<graphml>\n<graph>\n</graphml>", 3, "not valid XML"),
    ("entities", "n.graphml", '<!DOCTYPE g [<!ENTITY x "y">]><graphml/>', 1, "declarations of entities are refused"),
    ("unknown node", "n.graphml", GRAPHML.replace('target="n1"', 'target="n7"'), 8, "unknown broker 'n7' in a link"),
    ("not GML", "n.gml", "graph [\n node [ id 0\n", 3, "not valid GML: the file ends inside a list"),
    ("GML edge", "n.gml", GML.replace("target 2", "target 5"), 10, "unknown broker '5' in a link"),
    ("half a link", "n.toml", '[[links]]\nfrom = "a"\n', 1, "a link needs between = [a, b]"),
    ("empty group", "n.toml", TOML + '[[risk_groups]]\nname = "g"\n', 15, "risk group 'g' is empty"),
    ("one table a line", "n.toml", INLINE.replace('"c"]', '"z"]', 1), 5, "unknown broker 'z' in a link"),
    ("cost on its line", "n.toml", INLINE.replace("cost = 3", "cost = -3"), 6, "negative cost: -3"),
    ("quoted singly", "n.toml", INLINE.replace("'c',", "'a',"), 2, "duplicate broker 'a'"),
    ("topic's list", "n.toml", INLINE.replace('"a",\n', '"y",\n'), 11, "unknown broker 'y' in subscribers of topic"),
    ("negative deadline", "n.toml", TOML.replace("= 9", "= -9"), 14, "negative deadline_ms: -9"),
    ("topic in YAML", "n.yaml", YAML.replace("[b, c]\n ", "[b,\n y]\n "), 11, "unknown broker 'y'"),
    ("table for a list", "n.toml", 'name = "t"\n[brokers]\na = 1\n', 2, "brokers must be a list"),
    ("position", "n.toml", 'brokers = [\n{ name = "a", x = "left" }]\n', 2, "x must be a number, got 'left'"),
    ("no position", "n.toml", "brokers = [{ name = 'a', y = nan }]\n", 1, "y must be a number, got nan"),
    ("network's name", "n.toml", 'name = ["t"]\nbrokers = ["a"]\n', 1, "a network needs a name, got ['t']"),
    ("key twice in JSON", "n.json", '{"brokers": ["a"],\n"brokers": ["b"]}', 2, "the key 'brokers' stands twice"),
    ("key twice in YAML", "n.yaml", "brokers: [a]\nbrokers: [b]\n", 2, "the key 'brokers' stands twice"),
    ("column twice", "n.csv", "source,target,source\na,b,c\n", 1, "the column 'source' stands twice"),
    ("long number", "n.toml", f"[[links]]\nbetween = ['a', 'b']\ncost = 1{'0' * 400}\n", 1, "is too large: at most"),
    ("aliases without end", "n.yaml", ALIASES, 2, "more than 16 aliases are refused"),
    ("merge keys", "n.yaml", "a: &a {x: 1}\nlinks:\n- {<<: *a}\n", 3, "merge keys ('<<') are refused"),
    ("brackets in YAML", "n.yaml", "links:\n " + "[" * 5000, 2, "nested too deeply"),
    ("NUL in TOML", "n.toml", 'brokers = ["a", "b\\u0000"]\n', 1, "the name of a broker has a NUL character"),
    ("NUL in YAML", "n.yaml", 'brokers: [a]\nlinks: [{between: [a, "b\\0"]}]\n', 2, "has a NUL character"),
    ("NUL in JSON", "n.json", '{"name": "x\\u0000y", "brokers": ["a"]}', 1, "the name of a network has a NUL"),
    ("NUL in CSV", "n.csv", "source,target\na,b\0\n", 2, "NUL"),
    ("a cell without end", "n.csv", "source,target\n1," + "x" * 140_000 + "\n", 2, "not valid CSV: field larger"),
    ("a head without end", "n.csv", "source," + "x" * 140_000 + "\n", 1, "not valid CSV: field larger"),
    ("long name", "n.json", '{"links":\n[{"between": [' + "9" * 4301 + ", 2]}]}", 2, "a number of 4,301 digits"),
    ("long name in YAML", "n.yaml", "links:\n- between: [" + "9" * 4301 + ", 2]", 2, "a number of 4,301 digits"),
    ("long name in TOML", "n.toml", "\nlinks = [{between = [" + "9" * 4301 + ", 2]}]", 2, "a number of 4,301 digits"),
    (
        "hexadecimal name",
        "n.toml",
        "\nlinks = [{between = [0x" + "f" * 9000 + ", 2]}]",
        2,
        "a number of too many digits",
    ),
    (
        "hexadecimal cost",
        "n.toml",
        "links = [\n{between = [1, 2], cost = 0x" + "f" * 9000 + "}]",
        2,
        "cost is too large",
    ),
    ("group's link", "n.toml", TOML + '[[risk_groups]]\nname = "g"\nlinks = ["a-c"]\n', 15, "unknown link 'a-c'"),
]


@pytest.mark.parametrize(("name", "text", "line", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_mistakes_are_told_with_their_place(tmp_path: Path, name: str, text: str, line: int, message: str) -> None:
    source = write(tmp_path, name, text)
    with pytest.raises(HomingError) as error:
        load(source)
    place = error.value.place
    assert place is not None
    assert (place.file, place.line) == (source, line), str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("n.json", "[" * 100_000, "not valid JSON: nested too deeply"),
        ("n.toml", "a = " + "[" * 100_000, "not valid TOML: nested too deeply"),
        ("n.json", '{"links": 1' + "0" * 5000 + "}", "a number of 5,001 digits is too long: at most 4,300"),
        ("n.yaml", "links: " + "[" * 100_000, "not valid YAML: nested too deeply"),
    ],
)
def test_files_beyond_our_readers_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(HomingError, match=message):
        load(write(tmp_path, name, text))


def test_json_that_is_no_yaml(tmp_path: Path) -> None:
    text = '{"name"\n: "a\x7fb", "links": [{"between": ["a", "b"]}]}'
    assert load(write(tmp_path, "n.json", text)).name == "a\x7fb"


def test_positions_that_are_no_numbers_are_left_out(tmp_path: Path) -> None:
    assert load(write(tmp_path, "n.gml", GML.replace("13.4", "NaN"))).brokers[0].x is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("n.txt", "unknown kind of network 'n.txt'"),
        ("nowhere.toml", "nowhere.toml: cannot read the file"),
        ("topohub:topozoo/Atlantis", "topohub has no topology 'topozoo/Atlantis'"),
        ("random:5", "a generated network is random:BROKERS:LINKS"),
        ("random:5:99", "5 brokers need 4 to 10 links, not 99"),
        ("random:5:6:sead=1", "unknown option 'sead'"),
    ],
)
def test_unknown_networks(source: str, message: str) -> None:
    with pytest.raises(HomingError, match=message.replace("[", r"\[")):
        load(source)
