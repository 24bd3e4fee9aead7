"""Runs a script or a module under record(), unchanged: python -m highwater_gpu.run [OPTION...] train.py [ARGUMENT...]"""
from __future__ import annotations

import argparse
import os
import runpy
import sys
from typing import List, Optional

from .recorder import record


def main(arguments: Optional[List[str]] = None) -> None:
    parser = argparse.ArgumentParser(description="Records the GPU memory of a training script.")
    parser.add_argument("--folder", default="memory", help="where the snapshots go")
    parser.add_argument("--every", type=int, help="also write one after every so many steps, where the script marks steps")
    parser.add_argument("--keep", type=int, default=3, help="how many to keep for each reason")
    parser.add_argument("--max-entries", type=int, default=1_000_000, help="how many events the history holds")
    parser.add_argument("--stacks", choices=("python", "all"), default="python", help="all: C++ frames, too (slow)")
    parser.add_argument("-m", dest="module", action="store_true", help="run a module, as python -m does")
    parser.add_argument("script", help="script or module")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    options = parser.parse_args(arguments)
    sys.argv = [options.script, *options.rest]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.getcwd() if options.module else os.path.dirname(os.path.abspath(options.script))
    with record(options.folder, every=options.every, keep=options.keep, max_entries=options.max_entries, stacks=options.stacks):
        if options.module:
            runpy.run_module(options.script, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(options.script, run_name="__main__")


if __name__ == "__main__":
    if __package__:
        main()
    else:  # the one-file recorder: imported by its name, so that an import in the script finds this active recorder
        import importlib

        importlib.import_module(os.path.splitext(os.path.basename(__file__))[0]).main()
