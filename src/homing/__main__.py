"""`python -m homing`."""

import gc

if __name__ == "__main__":
    # Python looks for cycles after every 700 new objects, and for the last time when it ends. Imports and a model make
    # hundreds of thousands that all stay: looking at them again and again took a tenth of a check that takes seconds.
    gc.set_threshold(250_000)
    from homing.cli import main

    try:
        main()
    finally:
        gc.freeze()
