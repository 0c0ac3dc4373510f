"""The Spark session, and the only Spark plumbing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from homing.core.errors import HomingError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*]"

# Our JVMs live for minutes and mostly wait for Python: quick compilation and the plain collector start sooner.
JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

LOGGING = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"

SETTINGS = {
    "spark.driver.extraJavaOptions": f"{JVM} {LOGGING}",
    "spark.executor.extraJavaOptions": JVM,
    # Nobody but this machine needs to reach a local driver; a cluster's master overrides both.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Our tables are small beside Spark's default of 200 partitions, each of which costs a task.
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # A compiled kernel stays loaded between tasks.
    "spark.python.worker.reuse": "true",
    "spark.sql.session.timeZone": "UTC",
}
REMOTE_SETTINGS = ("spark.driver.host", "spark.driver.bindAddress")


def session(master: str | None = None, name: str = "homing", settings: dict[str, str] | None = None) -> SparkSession:
    """A session on `master`; without one, on spark-submit's choice or on this machine."""
    if not submitted():
        find_java()
        # Workers must run this very Python, not the first one on their PATH.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        if is_local(master or LOCAL):
            os.environ.setdefault("SPARK_LOCAL_IP", SETTINGS["spark.driver.host"])
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(name)
    if master or not submitted():
        builder = builder.master(master or LOCAL)
    here = not submitted() and is_local(master or LOCAL)
    for key, value in (SETTINGS | (settings or {})).items():
        if here or key not in REMOTE_SETTINGS or key in (settings or {}):
            builder = builder.config(key, value)
    try:
        spark = builder.getOrCreate()
    except Exception as error:  # whatever Java says, the user sees one sentence
        text = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise HomingError(f"Spark does not start on {master or LOCAL}: {text}") from error
    spark.sparkContext.setLogLevel("ERROR")
    return spark


@contextmanager
def running(master: str | None = None, settings: dict[str, str] | None = None) -> Iterator[SparkSession]:
    """A session that ends with the block, unless it was there before."""
    from pyspark.sql import SparkSession

    existing = SparkSession.getActiveSession()
    spark = existing or session(master, settings=settings)
    try:
        yield spark
    finally:
        if existing is None:
            spark.stop()


def submitted() -> bool:
    """Whether spark-submit started this process, and chose a master."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def is_local(master: str) -> bool:
    return master == "local" or master.startswith(("local[", "local-cluster[")) or "//127.0.0.1" in master


def find_java() -> None:
    """Sets JAVA_HOME to what the setup found, if nothing better is there."""
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return
    record = Path(sys.prefix) / "java"  # written by tools/setup.py: "17 /its/home"
    words = record.read_text().split(maxsplit=1) if record.exists() else []
    if len(words) != 2:
        raise HomingError("Spark needs Java 17 or later and found none; install one or set JAVA_HOME")
    os.environ["JAVA_HOME"] = words[1].strip()
