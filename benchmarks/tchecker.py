"""The textbook models of `benchmarks/uppaal` in TChecker's language, and TChecker run on them.

Symbolic states correspond one to one, since the models are the same edge by edge: broadcasts are weak synchronisations;
an urgent channel is an urgent location, for the gate's `go` is only held back where the gate is free and trains wait.
Nothing is asked of TChecker but to see all there is to see.
"""

from __future__ import annotations

import math
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tlc import timed


@dataclass(frozen=True)
class Seen:
    """What TChecker counted and took."""

    stored: int
    generated: int
    seconds: float
    cpu: float
    megabytes: float


def explore(program: str, system: str, limit: int) -> Seen | None:
    """All of a system, breadth first, as we search it; None where it takes more than `limit` seconds of CPU."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.tck").write_text(system)
        # Through a shell, which forks: a process that Python starts inherits Python's peak of memory.
        shell = ["sh", "-c", f'ulimit -t {limit}; "$0" "$@"; exit $?']
        found = str(Path(shutil.which(program) or program).absolute())
        command = [*shell, found, "-a", "covreach", "-s", "bfs", "model.tck"]
        seconds, cpu, _, said, _ = timed(command, math.inf, folder)
    figures = dict(re.findall(r"^([A-Z_]+) (\S+)$", said, re.MULTILINE))
    if not figures and cpu > 0.9 * limit:  # the clock of the limit is not quite that of the account
        return None
    if figures.get("REACHABLE") != "false":
        raise SystemExit(f"bench: TChecker failed: {said[-2000:]}")
    stored, generated = int(figures["STORED_STATES"]), int(figures["VISITED_TRANSITIONS"]) + 1
    return Seen(stored, generated, seconds, cpu, int(figures["MEMORY_MAX_RSS"]) / 1024)


def fischer(processes: int) -> str:
    """Fischer's protocol."""
    lines = ["system:fischer", "event:tau", f"int:1:0:{processes}:0:id"]
    for i in range(1, processes + 1):
        p, x = f"P{i}", f"x{i}"
        lines += [
            f"process:{p}",
            f"clock:1:{x}",
            *_locations(p, idle="initial:", req=f"invariant:{x}<=2", wait="", cs=""),
            f"edge:{p}:idle:req:tau{{provided:id==0 : do:{x}=0}}",
            f"edge:{p}:req:wait:tau{{provided:{x}<=2 : do:{x}=0;id={i}}}",
            f"edge:{p}:wait:req:tau{{provided:id==0 : do:{x}=0}}",
            f"edge:{p}:wait:cs:tau{{provided:{x}>2&&id=={i}}}",
            f"edge:{p}:cs:idle:tau{{do:id=0}}",
        ]
    return _text(lines)


def csma_cd(senders: int) -> str:
    """CSMA/CD. That `x >= 52` matters where one sends, as the property asks, is said by an edge that is never taken."""
    events = ("begin", "end", "busy", "cd", "tau")
    lines = ["system:csma_cd", *(f"event:{event}" for event in events), f"int:1:0:{senders}:0:sending"]
    lines += [
        "process:Bus",
        "clock:1:y",
        *_locations("Bus", Idle="initial:", Active="", Collision="invariant:y<26"),
        "edge:Bus:Idle:Active:begin{do:y=0}",
        "edge:Bus:Active:Idle:end{do:y=0}",
        "edge:Bus:Active:Active:busy{provided:y>=26}",
        "edge:Bus:Active:Collision:begin{provided:y<26 : do:y=0}",
        "edge:Bus:Collision:Idle:cd{provided:y<26 : do:y=0}",
    ]
    for i in range(senders):
        lines += _sender(f"S{i}", f"x{i}")
    lines += [f"sync:Bus@{event}:S{i}@{event}" for event in ("begin", "end", "busy") for i in range(senders)]
    return _text([*lines, "sync:Bus@cd:" + ":".join(f"S{i}@cd?" for i in range(senders))])


def _sender(p: str, x: str) -> list[str]:
    return [
        f"process:{p}",
        f"clock:1:{x}",
        *_locations(p, Wait="initial:", Transm=f"invariant:{x}<=808", Retry=f"invariant:{x}<52", Late=""),
        f"edge:{p}:Wait:Transm:begin{{do:{x}=0;sending=sending+1}}",
        f"edge:{p}:Wait:Retry:busy{{do:{x}=0}}",
        f"edge:{p}:Wait:Retry:cd{{do:{x}=0}}",
        f"edge:{p}:Transm:Wait:end{{provided:{x}==808 : do:{x}=0;sending=sending-1}}",
        f"edge:{p}:Transm:Retry:cd{{do:{x}=0;sending=sending-1}}",
        f"edge:{p}:Transm:Late:tau{{provided:sending>1&&{x}>=52}}",
        f"edge:{p}:Retry:Transm:begin{{provided:{x}<52 : do:{x}=0;sending=sending+1}}",
        f"edge:{p}:Retry:Retry:busy{{do:{x}=0}}",
        f"edge:{p}:Retry:Retry:cd{{do:{x}=0}}",
    ]


def train_gate(trains: int) -> str:
    """The train gate."""
    each = range(trains)
    calls = ("appr", "stop", "go", "leave")
    lines = ["system:train_gate", "event:tau", *(f"event:{call}{i}" for call in calls for i in each)]
    lines += ["process:Gate", f"int:{trains + 1}:0:{trains - 1}:0:list", f"int:1:0:{trains}:0:len"]
    lines += _locations("Gate", Free="initial:", Next="urgent:", Occ="", Stopping="committed:")
    enqueue = "list[len]={};len=len+1"
    dequeue = ";".join(f"list[{i}]=list[{i + 1}]" for i in each) + ";len=len-1"
    for i in each:
        lines += [
            f"edge:Gate:Free:Occ:appr{i}{{do:{enqueue.format(i)}}}",
            f"edge:Gate:Next:Occ:go{i}{{provided:list[0]=={i}}}",
            f"edge:Gate:Occ:Free:leave{i}{{provided:list[0]=={i}&&len==1 : do:{dequeue}}}",
            f"edge:Gate:Occ:Next:leave{i}{{provided:list[0]=={i}&&len>1 : do:{dequeue}}}",
            f"edge:Gate:Occ:Stopping:appr{i}{{do:{enqueue.format(i)}}}",
            f"edge:Gate:Stopping:Occ:stop{i}{{provided:list[len-1]=={i}}}",
        ]
    for i in each:
        lines += _train(f"T{i}", f"x{i}", i)
    return _text([*lines, *(f"sync:Gate@{call}{i}:T{i}@{call}{i}" for call in calls for i in each)])


def _train(p: str, x: str, i: int) -> list[str]:
    approach, start, cross = (f"invariant:{x}<={most}" for most in (20, 15, 5))
    return [
        f"process:{p}",
        f"clock:1:{x}",
        *_locations(p, Safe="initial:", Appr=approach, Stop="", Start=start, Cross=cross),
        f"edge:{p}:Safe:Appr:appr{i}{{do:{x}=0}}",
        f"edge:{p}:Appr:Cross:tau{{provided:{x}>=10 : do:{x}=0}}",
        f"edge:{p}:Appr:Stop:stop{i}{{provided:{x}<=10}}",
        f"edge:{p}:Stop:Start:go{i}{{do:{x}=0}}",
        f"edge:{p}:Start:Cross:tau{{provided:{x}>=7 : do:{x}=0}}",
        f"edge:{p}:Cross:Safe:leave{i}{{provided:{x}>=3}}",
    ]


def _locations(process: str, **locations: str) -> list[str]:
    return [f"location:{process}:{name}{{{attributes}}}" for name, attributes in locations.items()]


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
