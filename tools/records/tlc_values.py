"""Records what TLC says of expressions, for tests/languages/tla/test_values.py.

    python tools/records/tlc_values.py CLASSPATH FILE…

CLASSPATH is that of TLC and the community's modules. Each FILE has lines `EXTENDS …`, definitions, and then an
expression on each line after a line `----`, followed by a tab and its value. Values are renewed: what TLC prints, or
`ERROR` where TLC fails. One run of TLC evaluates all expressions of a file, each by an operator written in Java that
catches errors.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

JAVA = """
import tla2sany.semantic.ExprOrOpArgNode;
import tlc2.overrides.Evaluation;
import tlc2.overrides.ITLCOverrides;
import tlc2.tool.TLCState;
import tlc2.tool.coverage.CostModel;
import tlc2.tool.impl.Tool;
import tlc2.util.Context;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.Value;

public class Trying implements ITLCOverrides {
  public Class[] get() { return new Class[] { Trying.class }; }

  @Evaluation(definition = "Try", module = "Trying", warn = false, silent = true)
  public static Value tried(Tool tool, ExprOrOpArgNode[] args, Context c, TLCState s0, TLCState s1, int control,
      CostModel cm) {
    try {
      Value value = (Value) tool.eval(args[0], c, s0, s1, control, cm);
      value.deepNormalize();
      return new StringValue(value.toString());
    } catch (Throwable error) {
      return new StringValue("ERROR");
    }
  }
}
"""
OVERRIDES = "-Dtlc2.overrides.TLCOverrides=tlc2.overrides.TLCOverrides:Trying"
MARK = "value of"
PRINTED = re.compile(rf'<<\s*"{MARK}",\s*(\d+),\s*"(.*?)"\s*>>(?=\n(?:<<|[A-Z]))', re.S)


def values(classpath: str, head: str, expressions: list[str]) -> list[str]:
    """What TLC says of each expression."""
    lines = [f'ASSUME PrintT(<<"{MARK}", {n}, Try({text})>>)' for n, text in enumerate(expressions)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Trying.java").write_text(JAVA, "utf-8")
        (folder / "Trying.tla").write_text("---- MODULE Trying ----\nTry(e) == e\n====\n", "utf-8")
        text = "\n".join(["---- MODULE M ----", head, "LOCAL INSTANCE Trying", *lines, "===="])
        (folder / "M.tla").write_text(text, "utf-8")
        (folder / "M.cfg").write_text("", "utf-8")
        subprocess.run(["javac", "-cp", classpath, "Trying.java"], cwd=folder, check=True)
        command = ["java", OVERRIDES, "-cp", f"{folder}:{classpath}", "tlc2.TLC", "-metadir", "states", "M.tla"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    found = {int(n): re.sub(r"\s+", " ", said) for n, said in PRINTED.findall(run.stdout)}
    if len(found) < len(expressions):
        raise SystemExit(run.stdout + run.stderr)
    return [found[n].replace('\\"', '"').replace("\\\\", "\\") for n in range(len(expressions))]


def renew(classpath: str, path: Path) -> None:
    """Writes a file anew, with the values that TLC gives now."""
    head, _, body = path.read_text("utf-8").partition("----\n")
    expressions = [line.split("\t")[0] for line in body.splitlines() if line.strip()]
    given = values(classpath, head, expressions)
    lines = [f"{expression}\t{value}\n" for expression, value in zip(expressions, given, strict=True)]
    path.write_text(f"{head}----\n{''.join(lines)}", "utf-8")


if __name__ == "__main__":
    for file in map(Path, sys.argv[2:]):
        renew(sys.argv[1], file)
