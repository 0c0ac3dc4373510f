"""Writes the timed automata; run in the root of the repository: `python -m models.pcrt._source`."""

from pathlib import Path

from models.pcrt._source.dead_interval import FILES
from tools.uppaal_xml import write

for name, model in FILES.items():
    write(Path(__file__).parents[1] / name, model)
