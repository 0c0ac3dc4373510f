"""`python -m homing`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading


def main() -> None:
    """The entry point."""
    # Python looks for cycles after every 700 new objects, and for the last time when it ends. Imports and a model make
    # hundreds of thousands that all stay: looking at them again and again took a tenth of a check that takes seconds.
    gc.set_threshold(250_000)
    # NumPy's linear algebra starts threads that wait busily for work. There is none: kernels have threads of their own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from homing.cli import run

    code = run(sys.argv[1:])
    gc.freeze()
    if "pyspark" not in sys.modules and threading.active_count() == 1:
        # Nothing is left to be done but to free every object one by one; the system frees them all at once.
        atexit._run_exitfuncs()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
