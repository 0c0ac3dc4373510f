"""Writes the models; run in the root of the repository: `python -m models.tutorial._source`."""

from pathlib import Path

from models.tutorial._source.channel import FILES
from tools.uppaal_xml import write

for name, model in FILES.items():
    write(Path(__file__).parents[1] / name, model)
