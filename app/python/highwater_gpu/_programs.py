"""The commands that pip installs. Each starts a program that the package contains."""
from __future__ import annotations

import os
import sys
from typing import NoReturn


def command() -> NoReturn:
    """Runs the command line: `highwater` and `highwater-gpu`."""
    _start("highwater")


def window() -> NoReturn:
    """Runs the window: `highwater-gui`."""
    _start("highwater-gui")


def _start(name: str) -> NoReturn:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bundle", "bin", name)
    try:
        os.execv(program, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: {program} cannot be started: {error.strerror}")
