"""Asks `highwater` about files and commands."""
from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Any, List, Sequence, Tuple, Union

from .recorder import find_highwater
from .results import Analysis, Comparison, Rehearsal

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]


class HighwaterError(Exception):
    """Raised if the program fails. The text is the message of the program; `exit_code` is its exit code."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def analyze(paths: Paths, *options: str) -> Analysis:
    """Returns what is wrong with the run that wrote these files or folders: a diagnosis and findings. Options are those of
    `highwater findings`. If nothing in the files could be examined, the diagnosis is "nothing-examined"."""
    files = _texts(paths)
    document = _ask(["findings", *files, *options])[0]
    return Analysis.read(document, lambda: _page(files))


def diff(before: Paths, after: Paths, *options: str) -> Comparison:
    """Returns what changed between two runs. Options are those of `highwater diff`, such as "--group", "site"."""
    sides = _texts(before), _texts(after)
    if len(sides[0]) != 1 or len(sides[1]) != 1:
        raise ValueError("diff compares one file or folder with another")
    document = _ask(["diff", *sides[0], *sides[1], *options])[0]
    return Comparison.read(document, lambda: _page([*sides[1], "--before", *sides[0]]))


def rehearse(command: Union[str, Sequence[Path]], gpu: str, *options: str) -> Rehearsal:
    """Runs a training script on a simulated GPU and returns if it fits. The command is as in a shell:
    "train.py --batch-size 8" or ["torchrun", "--nproc-per-node", "2", "train.py"]. A script is run by this Python. Options are
    those of `highwater rehearse`. The snapshots are deleted when this process ends, unless the options have "-o", PATH."""
    words = shlex.split(command) if isinstance(command, str) else [os.fspath(word) for word in command]
    if words and words[0].endswith(".py"):
        words.insert(0, sys.executable)
    where: List[str] = []
    if not any(option == "-o" or option.startswith("--out") for option in options):
        folder = tempfile.mkdtemp(prefix="highwater-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        where = ["-o", os.path.join(folder, "rehearsal.pickle")]
    document, output = _ask(["rehearse", "--gpu", gpu, *where, *options], ["--", *words])
    return Rehearsal.read(document, output, _page)


def _ask(arguments: Sequence[str], rest: Sequence[str] = ()) -> Tuple[Any, str]:
    """Runs the program and returns its JSON document and its standard error. An exit code other than 0 is an error only if
    there is no document."""
    done = _run([*arguments, "--json", "--quiet", *rest])
    try:
        return json.loads(done.stdout), done.stderr
    except ValueError:
        raise HighwaterError(_sentence(done.stderr or done.stdout), done.returncode) from None


def _page(arguments: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory(prefix="highwater-") as folder:
        path = os.path.join(folder, "timeline.html")
        done = _run(["report", *arguments, "--sections", "timeline", "-o", path, "--quiet"])
        if not os.path.exists(path):
            raise HighwaterError(_sentence(done.stderr), done.returncode)
        with open(path, encoding="utf-8") as file:
            return file.read()


def _run(arguments: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    program = find_highwater()
    if not program:
        raise HighwaterError("the program highwater is not installed", 127)
    try:
        return subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, encoding="utf-8", errors="replace")
    except OSError as error:
        raise HighwaterError(f"{program} cannot be started: {error}", 126) from None


def _sentence(said: str) -> str:
    text = said.strip()
    return text[len("highwater: "):] if text.startswith("highwater: ") else text


def _texts(paths: Paths) -> List[str]:
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [os.fspath(path) for path in several]
