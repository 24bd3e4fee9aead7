"""Begins the rehearsal in every Python that the rehearsed command starts, after any sitecustomize of its own."""
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _run_shadowed():
    elsewhere = [path for path in sys.path if os.path.abspath(path or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec and spec.loader:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_run_shadowed()
if os.environ.get("HIGHWATER_REHEARSAL"):
    import highwater_rehearsal

    highwater_rehearsal.prepare()
elif os.environ.get("HIGHWATER_TELL_PYTHON"):
    import highwater_rehearsal

    highwater_rehearsal.tell_python()
