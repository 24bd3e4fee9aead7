"""The commands that pip installs: each starts the program that lies in the package."""
from __future__ import annotations

import os
import sys
from typing import NoReturn


def command() -> NoReturn:
    """highwater and highwater-gpu"""
    _start("highwater")


def window() -> NoReturn:
    """highwater-gui"""
    _start("highwater-gui")


def _start(name: str) -> NoReturn:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bundle", "bin", name)
    try:
        os.execv(program, [name, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: {program} cannot be started: {error.strerror}")
