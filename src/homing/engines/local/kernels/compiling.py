"""The decorators of all kernels in this folder."""

from homing.compiled import compiler, inner

kernel = compiler(__file__)

__all__ = ["inner", "kernel"]
