"""Whether the kernels in this folder have to be compiled first."""

from homing.kept import is_compiled

_waits = iter([] if is_compiled(__file__) else [True])


def has_to_wait() -> bool:
    """Whether the caller is the first, and has to wait for the compiler."""
    return next(_waits, False)
