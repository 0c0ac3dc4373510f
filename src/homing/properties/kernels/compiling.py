"""The decorator of all kernels in this folder."""

from homing.compiled import compiler

kernel = compiler(__file__)
