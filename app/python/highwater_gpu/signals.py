"""Lets a recorder react to signals, even while the main thread waits in C++."""
from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from typing import Any, Callable, Dict, List, Optional


class Signals:
    """Calls write(reason) on the signal `asks`. In a distributed run it also does so on SIGTERM, which a launcher sends to the
    other ranks when one has failed. Python runs signal handlers only between instructions of the main thread, but that thread
    may wait in C++ for another rank forever. So another thread is notified by Python's wake-up descriptor, and writes. The
    handler in the main thread waits for it, then calls the previous handler or ends the process.

    If is_writing() is true, this thread is writing already: then a signal is postponed until pass_on() is called."""

    def __init__(self, write: Callable[[str], Any], is_writing: Callable[[], bool], asks: Optional[int]) -> None:
        self._write_file, self._is_writing = write, is_writing
        self._previous: Dict[int, Any] = {}
        self._postponed: List[int] = []
        self._held: Dict[int, Any] = {}  # by thread that forks: its signal mask before the fork
        self._asked = self._answered = 0
        self._answer = threading.Condition()
        self._wake_up = -1
        self._ended = False
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may set handlers
        world = os.environ.get("WORLD_SIZE", "")
        for number in (asks, signal.SIGTERM if world.isdigit() and int(world) > 1 else None):
            # None is a handler of a library in C, which cannot be called from here.
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._previous[number] = signal.signal(number, self._handle)
        if self._previous:
            self._listen()

    def restore(self) -> None:
        """Restores the previous signal handlers and ends the thread."""
        self._ended = True
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may set handlers: ours stay and call the previous ones
        for number, previous in self._previous.items():
            if signal.getsignal(number) == self._handle:
                signal.signal(number, previous)
        if self._wake_up >= 0:
            other = signal.set_wakeup_fd(-1)
            if other not in (-1, self._wake_up):
                signal.set_wakeup_fd(other)
            os.close(self._wake_up)  # ends the thread
            self._wake_up = -1

    def hold(self) -> None:
        """Blocks the signals before a fork. Otherwise the parent's thread would be notified of the child's signals until the
        child has restored its handlers."""
        if self._previous and not self._ended:
            self._held[threading.get_ident()] = signal.pthread_sigmask(signal.SIG_BLOCK, self._previous)

    def release(self) -> None:
        before = self._held.pop(threading.get_ident(), None)
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def pass_on(self) -> None:
        """Handles signals that arrived while the main thread was writing."""
        if threading.current_thread() is threading.main_thread():
            while self._postponed:
                self._handle(self._postponed.pop(0), None)

    def _listen(self) -> None:
        read, write = os.pipe()
        os.set_blocking(write, False)
        taken = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        if taken >= 0:  # an event loop uses the descriptor and keeps it: handlers write when Python runs them
            signal.set_wakeup_fd(taken)
            os.close(read)
            os.close(write)
            return
        self._wake_up = write
        threading.Thread(target=self._wait, args=(read,), name="highwater-signals", daemon=True).start()

    def _wait(self, read: int) -> None:
        ends: Optional[float] = None  # time at which this thread ends the process, unless the main thread has done so
        poll = select.poll()
        poll.register(read, select.POLLIN)
        while True:
            left = None if ends is None else max(0.0, ends - time.monotonic()) * 1000
            if not poll.poll(left):
                os._exit(128 + signal.SIGTERM)
            byte = os.read(read, 1)
            if not byte:
                os.close(read)
                return
            number = byte[0]
            if number == 0:  # the main thread waits until all earlier signals have been handled
                with self._answer:
                    self._answered += 1
                    self._answer.notify_all()
            elif number in self._previous and not self._ended and signal.getsignal(number) == self._handle:
                self._write(number)
                if number == signal.SIGTERM and not callable(self._previous[number]):
                    ends = time.monotonic() + 1

    def _thread_answers(self) -> bool:
        """Waits until the thread has written for this signal. Returns False if the thread is not notified of it."""
        if self._wake_up < 0:
            return False
        heard = signal.set_wakeup_fd(self._wake_up, warn_on_full_buffer=False)
        if heard != self._wake_up:  # an event loop has taken the descriptor since
            signal.set_wakeup_fd(heard)
            return False
        try:
            os.write(self._wake_up, b"\0")
        except OSError:
            return False
        self._asked += 1
        wanted = self._asked
        with self._answer:
            self._answer.wait_for(lambda: self._answered >= wanted, 30)
        return True

    def _handle(self, number: int, frame: Any) -> None:
        if self._is_writing():
            self._postponed.append(number)
            return
        if not self._ended and (signal.getsignal(number) != self._handle or not self._thread_answers()):
            self._write(number)
        previous = self._previous.get(number)
        if callable(previous):
            previous(number, frame)
        elif number == signal.SIGTERM:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _write(self, number: int) -> None:
        with contextlib.suppress(Exception):
            self._write_file("terminated" if number == signal.SIGTERM else "signal")
