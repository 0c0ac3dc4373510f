"""Templates, processes, synchronisation and priorities."""

from __future__ import annotations

from pathlib import Path

from tests.languages.uppaal.support import Source, Template

from homing.timed.system import at_most


def one(name: str, labels: dict[str, str], declarations: str = "", parameters: str = "") -> Template:
    return Template(name, ["A", "B"], [("A", "B", labels)], declarations, parameters)


def test_an_edge_alone(tmp_path: Path) -> None:
    model = Source([one("P", {"update": "n = 1"})], "int n;").load(tmp_path)
    ((action, after),) = model.actions()
    assert (action.name, action.sender, action.receiver, str(action)) == ("P: A → B", "P", None, "P: A → B")
    assert model.values(after) == {"n": 1, "P": "B"}
    (group,) = model.system.shape.groups
    (read,) = group.reads
    assert read.guard
    assert str(read.through) == "is_at(A)"
    assert model.events(after) == []


def test_a_process_with_one_location_has_no_slot(tmp_path: Path) -> None:
    model = Source([Template("P", ["A"], [("A", "A", {})])], queries=["E<> P.A"]).load(tmp_path)
    assert model.values() == {"system": "running"}  # for a state has at least one
    assert len(model.actions()) == 1
    assert model.cells() == model.system.cells(1)


def test_a_handshake_runs_the_sender_first(tmp_path: Path) -> None:
    sender = one("S", {"sync": "c!", "update": "n = 1"})
    receiver = one("R", {"sync": "c?", "update": "n = 2 * n + 1"})
    model = Source([receiver, sender], "chan c; int n = 5;").load(tmp_path)
    ((action, after),) = model.actions()
    assert (action.name, action.sender, action.receiver, str(action)) == ("c", "S", "R", "c: S → R")
    assert model.values(after) == {"n": 3, "R": "B", "S": "B"}


def test_a_handshake_needs_two_processes(tmp_path: Path) -> None:
    both = Template("P", ["A", "B"], [("A", "B", {"sync": "c!"}), ("A", "B", {"sync": "c?"})])
    assert Source([both], "chan c;").load(tmp_path).events() == []


def test_indices_of_channels(tmp_path: Path) -> None:
    sender = one("S", {"select": "i : id", "sync": "c[i]!"})
    receiver = one("R", {"sync": "c[k]?"}, parameters="const id k")
    dynamic = one("D", {"sync": "c[n + 1]?"})
    declarations = "typedef int[0,2] id; chan c[id]; int n;"
    model = Source([sender, receiver, dynamic], declarations).load(tmp_path)
    assert model.events() == ["c[0]: S → R(0)", "c[1]: S → R(1)", "c[1]: S → D", "c[2]: S → R(2)"]
    assert len(model.system.shape.groups) == 6


def test_a_channel_index_out_of_range(tmp_path: Path) -> None:
    model = Source([one("S", {"sync": "c[n]!"}), one("R", {"sync": "c[0]?"})], "chan c[2]; int n = 2;").load(tmp_path)
    ((action, _),) = model.actions()
    assert action.failure.endswith(
        "the synchronisation of the edge A → B of template S: 'c[n]' has the index 2, but 'c' has 0 to 1"
    )


def test_select_from_many(tmp_path: Path) -> None:
    chooser = one("P", {"select": "i : int[0,999]", "guard": "i % 250 == n", "update": "r = i"})
    model = Source([chooser], "int n = 7, r;").load(tmp_path)
    assert len(model.system.shape.groups) == 1
    assert [model.values(after)["r"] for _, after in model.actions()] == [7, 257, 507, 757]


def test_select_of_two(tmp_path: Path) -> None:
    chooser = one("P", {"select": "i : int[0,1], j : bool", "update": "r = 10 * i + j"})
    model = Source([chooser], "int r;").load(tmp_path)
    assert [model.values(after)["r"] for _, after in model.actions()] == [0, 1, 10, 11]


HEARD = "broadcast chan b; int n; clock x;"


def test_a_broadcast_reaches_all_that_can_hear(tmp_path: Path) -> None:
    sender = one("S", {"sync": "b!", "update": "n = 1"})
    first = one("P", {"sync": "b?", "update": "n = n * 2"})
    second = one("Q", {"sync": "b?", "update": "n = n + 3"})
    deaf = one("D", {"guard": "n > 0", "sync": "b?"})
    model = Source([second, sender, deaf, first], HEARD).load(tmp_path)
    ((action, after),) = model.actions()
    assert str(action) == "b: S → Q, P"
    assert (action.sender, action.receiver, action.arguments) == ("S", None, ("Q", "P"))
    assert model.values(after) == {"n": 8, "Q": "B", "S": "B", "D": "A", "P": "B"}
    (shown,) = model.system.shape.notation.lines([], [action])  # type: ignore[misc]
    assert [(event.sender, event.receiver, str(event)) for event in shown] == [("S", "Q", "b"), ("S", "P", "b")]


def test_a_broadcast_that_nobody_hears(tmp_path: Path) -> None:
    model = Source([one("S", {"sync": "b!"})], HEARD).load(tmp_path)
    ((action, _),) = model.actions()
    assert (str(action), action.sender, action.receiver, action.arguments) == ("b: S", "S", None, ())


def test_a_broadcast_with_several_edges_of_a_listener(tmp_path: Path) -> None:
    listener = Template("P", ["A", "B", "C"], [("A", "B", {"sync": "b?"}), ("A", "C", {"sync": "b?"})])
    model = Source([one("S", {"sync": "b!"}), listener], HEARD).load(tmp_path)
    assert [model.values(after)["P"] for _, after in model.actions()] == ["B", "C"]


def test_a_broadcast_to_a_listener_with_a_clock(tmp_path: Path) -> None:
    listener = one("P", {"guard": "x > 2", "sync": "b?"})
    model = Source([one("S", {"sync": "b!"}), listener], HEARD).load(tmp_path)
    assert [(str(action), action.guard) for action, _ in model.actions()] == [
        ("b: S → P", ((0, 1, at_most(-2, strict=True)),)),
        ("b: S", ((1, 0, at_most(2)),)),
    ]


def test_committed_and_urgent(tmp_path: Path) -> None:
    patient = Template("P", ["A!", "B?"], [("A", "B", {})])
    sender = one("S", {"sync": "u!"})
    receiver = one("R", {"sync": "u?"})
    model = Source([patient, sender, receiver], "urgent chan u;").load(tmp_path)
    found = {str(action): action for action, _ in model.actions()}
    assert found["P: A → B"].committed
    assert not found["P: A → B"].urgent
    assert found["u: S → R"].urgent
    assert not found["u: S → R"].committed
    assert (model.part("P").delay, model.part("P").committed) == (False, True)
    later = model.state("P: A → B")
    assert (model.part("P", later).delay, model.part("P", later).committed) == (False, False)


def test_priorities(tmp_path: Path) -> None:
    templates = [one("P", {}), one("Q", {}), one("S", {"sync": "c[0]!"}), one("R", {"sync": "c[0]?"})]
    templates += [one("U", {"sync": "d!"}), one("V", {"sync": "d?"})]
    declarations = "chan c[2], d; chan priority c[0] < default < d;"
    model = Source(templates, declarations, "system P, S, R < Q, U, V;").load(tmp_path)
    priorities = {str(action): action.priority for action, _ in model.actions()}
    order = sorted(priorities, key=priorities.__getitem__)
    assert order == ["c[0]: S → R", "P: A → B", "Q: A → B", "d: U → V"]
    assert len(set(priorities.values())) == 4


def test_templates_with_parameters(tmp_path: Path) -> None:
    declarations = "int a[2], n; chan c[2]; clock x; typedef int[0,1] id; const int big[2] = {7, 9};"
    worker = one(
        "T",
        {"guard": "y < k", "update": "v += k, w[own] = list[own], y = 0"},
        "id own = k % 2;",
        "int k, int &v, int w[2], clock &y, const int list[2]".replace("int w[2]", "int &w[2]"),
    )
    system = (
        "Some(const id i, int &r) = T(i + 3, r, a, x, big); One = Some(1, n); Two(id j) = Some(j, n); system One, Two;"
    )
    model = Source([worker], declarations, system, ["E<> Two(1).B && One.own == 1"]).load(tmp_path)
    assert model.events() == ["One: A → B", "Two(0): A → B", "Two(1): A → B"]
    after = model.after("Two(0): A → B")
    assert (after["n"], after["a[1]"], after["Two(0).own"], after["Two(1).own"]) == (3, 9, 1, 0)
    (action, _), *_ = model.actions()
    assert action.guard == ((1, 0, at_most(4, strict=True)),)
    assert [(reset.clock, reset.value) for reset in action.resets] == [(1, 0)]


def test_channels_as_parameters(tmp_path: Path) -> None:
    sender = one("S", {"sync": "out!"}, parameters="urgent chan &out")
    receiver = one("R", {"sync": "c[1]?"})
    model = Source([sender, receiver], "urgent chan c[2];", "P = S(c[1]); system P, R;").load(tmp_path)
    assert model.events() == ["c[1]: P → R"]


def test_free_parameters(tmp_path: Path) -> None:
    pair = one("P", {}, parameters="const int[1,2] i, const int[0,1] j")
    model = Source([pair]).load(tmp_path)
    assert list(model.values()) == ["P(1,0)", "P(1,1)", "P(2,0)", "P(2,1)"]


def test_an_empty_set_of_processes(tmp_path: Path) -> None:
    nobody = one("P", {}, parameters="const int[1,0] i")
    model = Source([nobody, one("Q", {})], queries=["A[] forall (i : int[1,0]) Q.B"]).load(tmp_path)
    assert model.events() == ["Q: A → B"]
    assert model.cells() == ()


def test_locals_belong_to_their_process(tmp_path: Path) -> None:
    counting = one("P", {"update": "n++, up()"}, "int n; void up() { n += 10; }", "const int[0,1] i")
    model = Source([counting]).load(tmp_path)
    assert model.after("P(1): A → B") == {"P(0).n": 0, "P(0)": "A", "P(1).n": 11, "P(1)": "B"}


def test_guards_on_constants_leave_edges_out(tmp_path: Path) -> None:
    only = one("P", {"guard": "i == 1"}, parameters="const int[0,2] i")
    model = Source([only]).load(tmp_path)
    assert [group.name for group in model.system.shape.groups] == ["P(1): A → B"]


def test_progress_and_gantt_change_nothing(tmp_path: Path) -> None:
    system = "system P; progress { n; } gantt { A : n -> 1; }"
    assert Source([one("P", {})], "int n;", system).load(tmp_path).events() == ["P: A → B"]


def test_meta_variables_are_hidden(tmp_path: Path) -> None:
    model = Source([one("P", {"update": "m = 3"})], "meta int m;").load(tmp_path)
    assert model.after("P: A → B")["m"] == 3
    assert model.system.shape.hidden == frozenset({0})


def test_truth_values_are_shown_as_uppaal_does(tmp_path: Path) -> None:
    shape = Source([one("P", {})], "bool b;").load(tmp_path).system.shape
    assert (shape.notation.show(False), shape.notation.show("A"), shape.notation.show(3)) == ("false", "A", "3")
