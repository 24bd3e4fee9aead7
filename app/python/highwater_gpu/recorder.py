"""Records PyTorch's GPU memory while a script trains, and writes a snapshot when memory runs out, when an exception
ends the run, on a signal, after steps that you choose, and at the end. Needs only torch. It is part of the package
highwater_gpu; `highwater record --standalone` prints it as one file, record_memory.py, to be saved next to a script.

    from highwater_gpu import record, step, phase   # one file: from record_memory import record, step, phase

    with record():                  # before the model is created; as a decorator, @record(), or record().start()
        model = Model().cuda()
        for batch in loader:
            step()                  # marks the start of a step
            with phase("rollout"):  # marks a part of a step
                ...

Every rank of a distributed run writes its own files, such as memory/rank0-oom-step2-20261127-163407-4242.pickle: rank,
reason, step, time (UTC) and process. Open them together: highwater findings memory

Without changing the script: python -m highwater_gpu.run train.py, or torchrun … -m highwater_gpu.run train.py
(one file: python record_memory.py train.py)

The recorder never ends a run: exceptions of the script pass through unchanged, and the recorder prints its own problems to
standard error. Needs PyTorch 2.1 or newer.
"""
from __future__ import annotations

import atexit
import contextlib
import inspect
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Dict, List, Optional, Set, Tuple

from .signals import Signals

_active: Optional["record"] = None
_observes = False  # observers cannot be removed from PyTorch, so each process attaches one
_hears_of_forks = False  # fork handlers cannot be removed from Python either
_forking = threading.local()  # its `signals` are those of the recorder that was active when the fork began


class record(contextlib.ContextDecorator):
    """Records while a `with` block or a decorated function runs, or from start() to stop() or the end of the process.
    Recording begins when CUDA is initialised, which is before the first allocation. Inside another record() it does nothing.

    folder       where the snapshots go
    every        also write a snapshot after every so many steps
    window       (first, last): record only these steps, numbered from 0, and write a snapshot after the last one
    keep         how many snapshots to keep for each reason; older ones of this process are deleted
    max_entries  how many events the history holds; the oldest go first (170 bytes to 1 KB each in the file)
    stacks       "all" adds C++ frames, which name the backward pass; recording then takes about three times as long
    on_signal    the signal that asks for a snapshot (kill -USR2 PID); None disables it
    diagnose     after an out-of-memory error, print the diagnosis of `highwater` if it is installed
    """

    def __init__(self, folder: str = "memory", *, every: Optional[int] = None, window: Optional[Tuple[int, int]] = None,
                 keep: int = 3, max_entries: int = 1_000_000, stacks: str = "python",
                 on_signal: Optional[int] = getattr(signal, "SIGUSR2", None), diagnose: bool = True) -> None:
        self.folder, self.every, self.window, self.keep = folder, every, window, max(1, keep)
        self.max_entries, self.stacks, self.on_signal, self.diagnose = max_entries, stacks, on_signal, diagnose
        self.paths: List[str] = []  # snapshots that still exist, oldest first
        self._written: Dict[str, List[str]] = {}  # paths by reason
        self._lock = threading.RLock()
        self._writers: Set[int] = set()  # threads that write a snapshot or wait for their turn
        self._last_write = self._last_failure = float("-inf")  # times of the last snapshot of any reason, and of a failure
        self._began = False
        self._process = 0
        self._step: Optional[_Step] = None
        self._next_step = 0
        self._signals: Optional[Signals] = None

    def _recreate_cm(self) -> "record":
        """Returns a new recorder for each call of a decorated function."""
        return record(self.folder, every=self.every, window=self.window, keep=self.keep, max_entries=self.max_entries,
                      stacks=self.stacks, on_signal=self.on_signal, diagnose=self.diagnose)

    def __enter__(self) -> "record":
        return self.start()

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self._end(error)

    def start(self) -> "record":
        global _active, _hears_of_forks
        if _active is not None:
            return self
        import torch

        if not (torch.version.cuda or torch.version.hip):
            _say("this PyTorch has no GPU support: no memory is recorded")
            return self
        self.paths, self._written, self._step, self._next_step = [], {}, None, 0
        self._signals = Signals(self._on_signal, self._is_writing, self.on_signal)
        _active, self._process = self, os.getpid()
        if not _hears_of_forks:
            _hears_of_forks = True
            os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)
        atexit.register(self._at_exit)
        torch.cuda._lazy_call(self._begin)
        return self

    def stop(self) -> None:
        """Writes the last snapshot and stops recording."""
        self._end(None)

    def dump(self, reason: str = "asked") -> Optional[str]:
        """Writes a snapshot now. Returns its path, or None if nothing could be written."""
        if not self._began or os.getpid() != self._process:
            return None
        self._writers.add(threading.get_ident())
        try:
            with self._lock:
                return self._write(reason)
        finally:
            self._writers.discard(threading.get_ident())
            if self._signals:
                self._signals.pass_on()

    def _write(self, reason: str) -> Optional[str]:
        path = self._new_path(reason)
        try:
            os.makedirs(self.folder, exist_ok=True)
            _write_snapshot(path)
            self._forget_oldest(reason, path)
            _say(f"wrote {path}")
            return path
        except Exception as error:  # a full disk must not end a training run
            _say(f"cannot write {path}: {error}")
            return None
        finally:
            self._last_write = time.monotonic()
            if reason in ("oom", "exception"):
                self._last_failure = self._last_write

    def _begin(self) -> None:
        """Starts recording. PyTorch calls this when CUDA is initialised and nothing has been allocated yet."""
        global _observes
        if _active is not self:
            return
        import torch

        try:
            self._record_history()
            if not _observes:
                _observes = True
                torch._C._cuda_attach_out_of_memory_observer(_on_out_of_memory)  # before the exception frees tensors
            self._began = True
        except Exception as error:
            _say(f"cannot record memory with PyTorch {torch.__version__}: {error}")

    def _record_history(self) -> None:
        sys.modules["torch"].cuda.memory._record_memory_history(stacks=self.stacks, max_entries=self.max_entries)

    def _end(self, error: Optional[BaseException], exits: bool = False) -> None:
        global _active
        if _active is not self or os.getpid() != self._process:
            return
        if self._step:
            _Mark.end(self._step) if error else self._step.end()
        if not self._began:
            _say("no GPU was used: nothing was recorded")
        # After an out-of-memory error, its own snapshot shows more: tensors have been freed since.
        elif not (self._written.get("oom") and _is_out_of_memory(error)):
            self.dump("end" if error is None or isinstance(error, SystemExit) else "exception")
        _active = None
        if self._signals:
            self._signals.restore()
        atexit.unregister(self._at_exit)
        if self._began and not exits:  # a rehearsal still writes its own snapshot when the process exits
            import torch

            torch.cuda.memory._record_memory_history(enabled=None)
        self._began = False

    def _become_child(self) -> None:
        """Gives up the signal handlers in a forked child. The child may record itself if the parent has not used CUDA."""
        if self._signals:
            self._signals.restore()
        if not self._began:
            self._process = os.getpid()

    def _at_exit(self) -> None:
        self._end(getattr(sys, "last_value", None), exits=True)  # the exception that ended the script

    def _new_path(self, reason: str) -> str:
        step_part = f"-step{self._step.number}" if self._step else ""
        stem = f"rank{_rank()}-{reason}{step_part}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
        path, copy = os.path.join(self.folder, stem + ".pickle"), 1
        while os.path.exists(path):
            copy += 1
            path = os.path.join(self.folder, f"{stem}-{copy}.pickle")
        return path

    def _forget_oldest(self, reason: str, path: str) -> None:
        written = self._written.setdefault(reason, [])
        written.append(path)
        self.paths.append(path)
        while len(written) > self.keep:
            oldest = written.pop(0)
            self.paths.remove(oldest)
            with contextlib.suppress(OSError):
                os.remove(oldest)

    def _out_of_memory(self) -> None:
        # A search for the batch size may fail often. After the first few, one snapshot per minute is enough.
        many = len(self._written.get("oom", [])) >= self.keep
        if many and time.monotonic() - self._last_write < 60:
            return
        path = self.dump("oom")
        if path and self.diagnose and not many:
            _print_diagnosis(path)

    def _is_writing(self) -> bool:
        return threading.get_ident() in self._writers

    def _on_signal(self, reason: str) -> None:
        with self._lock:  # another thread may be writing the snapshot of a failure
            if reason != "terminated" or time.monotonic() - self._last_failure > 10:
                self.dump(reason)

    def _begin_step(self, number: Optional[int]) -> "_Step":
        if self._step:
            self._step.end()
        number = self._next_step if number is None else number
        if self._began and self.window and number == self.window[0]:
            sys.modules["torch"].cuda.memory._record_memory_history(enabled=None)  # forgets what came before the window
            self._record_history()
        self._step, self._next_step = _Step(self, number), number + 1
        return self._step

    def _step_ended(self, number: int) -> None:
        if self.every and (number + 1) % self.every == 0:
            self.dump("every")
        if self.window and number == self.window[1]:
            self.dump("window")


class _Mark:
    """A named range of the recording. It ends once, by end() or at the end of a `with` block."""

    def __init__(self, name: str) -> None:
        import torch

        self._function = torch.profiler.record_function(name)
        self._function.__enter__()
        self.is_open = True

    def end(self) -> bool:
        """Ends the range. Returns False if it had ended before."""
        was_open, self.is_open = self.is_open, False
        if was_open:
            self._function.__exit__(None, None, None)
        return was_open

    def __enter__(self) -> "_Mark":
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()


class _Step(_Mark):
    def __init__(self, recorder: record, number: int) -> None:
        super().__init__(f"ProfilerStep#{number}")  # the name that PyTorch's profiler gives to steps
        self.number = number
        self._recorder = recorder

    def end(self) -> bool:
        ended = super().end()
        if ended:
            self._recorder._step_ended(self.number)
        return ended

    def __exit__(self, kind: Any = None, *_: Any) -> None:
        if kind is None:  # a failed step stays open, so that snapshots of the failure name it
            self.end()


def step(number: Optional[int] = None) -> Any:
    """Marks the start of a step. Call it in the first line of the loop, or use `with step():` around the body to mark the end,
    too. Without a number, steps are counted from 0. Does nothing unless a recorder is active."""
    return _active._begin_step(number) if _active else contextlib.nullcontext()


def phase(name: str) -> Any:
    """Marks a part of a step: with phase("rollout"): … Does nothing unless a recorder is active."""
    return _Mark(name) if _active else contextlib.nullcontext()


def dump(reason: str = "asked") -> Optional[str]:
    """Writes a snapshot now. Returns its path, or None if no recorder is active."""
    return _active.dump(reason) if _active else None


def is_recording() -> bool:
    return _active is not None


def current_step() -> Optional[int]:
    """Returns the number of the current step; None between steps."""
    return _active._step.number if _active and _active._step and _active._step.is_open else None


def end_step() -> None:
    """Marks the end of the current step. Without this call, a step lasts until the next one begins."""
    if _active and _active._step:
        _active._step.end()


def _before_fork() -> None:
    _forking.signals = _active._signals if _active else None
    if _forking.signals:
        _forking.signals.hold()


def _after_fork() -> None:
    if getattr(_forking, "signals", None):
        _forking.signals.release()


def _after_fork_in_child() -> None:
    if _active:
        _active._become_child()
    _after_fork()


def _on_out_of_memory(*_: Any) -> None:
    if _active:
        _active._out_of_memory()


def _write_snapshot(path: str) -> None:
    """Writes a snapshot under a temporary name and renames it, so that nobody reads a part of it."""
    import torch

    memory = torch.cuda.memory
    options = {}
    if "augment_with_fx_traces" in inspect.signature(memory._dump_snapshot).parameters:
        options["augment_with_fx_traces"] = True  # names the model's lines in code that torch.compile generated
    try:
        memory._dump_snapshot(path + ".part", **options)
        os.replace(path + ".part", path)
    finally:
        with contextlib.suppress(OSError):
            os.remove(path + ".part")


def find_highwater() -> Optional[str]:
    """Returns the path of the program `highwater`: the one in this package, or else the one on the search path."""
    bundled = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bundle", "bin", "highwater")
    return bundled if os.access(bundled, os.X_OK) else shutil.which("highwater")


def _print_diagnosis(path: str) -> None:
    program = find_highwater()
    if not program:
        _say(f"for the diagnosis, where Highwater is installed: highwater findings {path}")
        return
    try:
        found = subprocess.run([program, "findings", path, "--quiet"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120, check=False,
                               encoding="utf-8", errors="replace")
    except (OSError, subprocess.SubprocessError) as error:
        _say(f"no diagnosis: {error}")
        return
    if found.stdout:
        _say(found.stdout.splitlines()[0])


def _is_out_of_memory(error: Optional[BaseException]) -> bool:
    """True for an out-of-memory error, even if another exception was raised while it was handled."""
    import torch

    seen = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, torch.cuda.OutOfMemoryError):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _rank() -> int:
    distributed = sys.modules.get("torch.distributed")
    with contextlib.suppress(Exception):  # the module may be half imported, or the process group half destroyed
        if distributed and distributed.is_available() and distributed.is_initialized():
            return int(distributed.get_rank())
    for name in ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"):
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return 0


def _say(text: str) -> None:
    with contextlib.suppress(Exception):  # standard error may be closed, or in use if a signal interrupted a write
        print(f"[highwater, rank {_rank()}] {text}", file=sys.stderr, flush=True)
