"""The decorators of all kernels in this folder."""

from homing.compiled import compiler, inner, is_compiled

kernel = compiler(__file__)
_waits = iter([] if is_compiled(__file__) else [True])


def has_to_wait() -> bool:
    """Whether the caller is the first, and has to wait for the compiler."""
    return next(_waits, False)


__all__ = ["has_to_wait", "inner", "kernel"]
