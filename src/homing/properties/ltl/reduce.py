"""Makes automata smaller: prunes what cannot accept, merges what goes on alike, drops marks that say nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homing.properties.ltl.translate import Automaton, Transition


def reduced(automaton: Automaton) -> Automaton:
    """An automaton for the same paths, no larger."""
    before = None
    while automaton != before:
        before = automaton
        automaton = _merge(_drop_marks(_prune(automaton)))
    return automaton


def sccs(successors: Sequence[Iterable[int]]) -> list[int]:
    """By node its component, numbered after those it leads to (Tarjan, with a stack of its own)."""
    n = len(successors)
    index, low, component = [0] * n, [0] * n, [-1] * n
    stack: list[int] = []
    count, found = 1, 0
    for root in range(n):
        if index[root]:
            continue
        calls = [(root, iter(successors[root]))]
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        while calls:
            node, rest = calls[-1]
            for other in rest:
                if not index[other]:
                    index[other] = low[other] = count
                    count += 1
                    stack.append(other)
                    calls.append((other, iter(successors[other])))
                    break
                if component[other] < 0:
                    low[node] = min(low[node], index[other])
            else:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == index[node]:
                    while component[node] < 0:
                        component[stack.pop()] = found
                    found += 1
    return component


def accepting(transitions: Sequence[Sequence[Transition]], marks: int) -> tuple[list[int], set[int]]:
    """By state its component; the components in which every mark is on an inner transition."""
    component = sccs([[t.target for t in outgoing] for outgoing in transitions])
    seen: dict[int, int] = {}
    for state, outgoing in enumerate(transitions):
        for t in outgoing:
            if component[t.target] == component[state]:
                seen[component[state]] = seen.get(component[state], 0) | t.marks
    return component, {number for number, bits in seen.items() if bits & marks == marks}


def _prune(automaton: Automaton) -> Automaton:
    """Without states that are not reached or cannot accept; marks outside accepting components say nothing."""
    component, good = accepting(automaton.transitions, automaton.marks)
    # Components come after those they lead to, so one pass in their order decides which can accept.
    useful: set[int] = set(good)
    for state in sorted(range(len(component)), key=lambda state: component[state]):
        if any(component[t.target] in useful for t in automaton.transitions[state]):
            useful.add(component[state])
    reached = [state for state in automaton.initial if component[state] in useful]
    number = {state: position for position, state in enumerate(reached)}
    transitions = []
    for state in reached:  # grows while it is walked
        kept: dict[Transition, None] = {}
        for t in automaton.transitions[state]:
            if component[t.target] not in useful:
                continue
            if t.target not in number:
                number[t.target] = len(reached)
                reached.append(t.target)
            inside = component[t.target] == component[state] and component[state] in good
            kept[Transition(t.true, t.false, number[t.target], t.marks if inside else 0)] = None
        transitions.append(tuple(kept))
    starts = dict.fromkeys(number[state] for state in automaton.initial if state in number)
    return Automaton(tuple(starts), tuple(transitions), automaton.marks)


def _drop_marks(automaton: Automaton) -> Automaton:
    """Without a mark that every inner transition has, or has whenever another mark is there.

    Components that do not accept count too: their transitions have no marks, and must not come to accept.
    """
    component, _ = accepting(automaton.transitions, automaton.marks)
    inside = [
        t.marks
        for state, outgoing in enumerate(automaton.transitions)
        for t in outgoing
        if component[t.target] == component[state]
    ]
    kept = [bit for bit in range(automaton.marks.bit_length()) if not all(marks >> bit & 1 for marks in inside)]
    for bit in list(kept):
        others = [other for other in kept if other != bit]
        if any(all(marks >> bit & 1 or not marks >> other & 1 for marks in inside) for other in others):
            kept.remove(bit)
    renamed = tuple(
        tuple(dict.fromkeys(t._replace(marks=_picked(t.marks, kept)) for t in outgoing))
        for outgoing in automaton.transitions
    )
    return Automaton(automaton.initial, renamed, (1 << len(kept)) - 1)


def _picked(marks: int, kept: list[int]) -> int:
    return sum(1 << position for position, bit in enumerate(kept) if marks >> bit & 1)


def _merge(automaton: Automaton) -> Automaton:
    """States with the same ways on are one: bisimulation, by splitting until nothing splits."""
    block = [0] * len(automaton.transitions)
    while True:
        signatures: dict[object, int] = {}
        finer = []
        for state, outgoing in enumerate(automaton.transitions):
            ways = frozenset((t.true, t.false, block[t.target], t.marks) for t in outgoing)
            finer.append(signatures.setdefault((block[state], ways), len(signatures)))
        if len(signatures) == len(set(block)):
            break
        block = finer
    first: dict[int, int] = {}
    for state, number in enumerate(block):
        first.setdefault(number, state)
    order = {number: position for position, number in enumerate(first)}
    transitions = tuple(
        tuple(dict.fromkeys(t._replace(target=order[block[t.target]]) for t in automaton.transitions[state]))
        for state in first.values()
    )
    initial = tuple(dict.fromkeys(order[block[state]] for state in automaton.initial))
    return Automaton(initial, transitions, automaton.marks)
