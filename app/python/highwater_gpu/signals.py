"""Signals that a recorder answers, also while the main thread waits in C++."""
from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any, Callable, Dict, List, Optional


class Signals:
    """Calls write(reason) on a signal: on `asks`, and in a distributed run on SIGTERM, by which a launcher ends the other ranks
    when one has failed. Python runs signal handlers only between instructions of the main thread, which may wait in C++ for
    another rank for ever; so a thread hears of signals by Python's wake-up descriptor, and writes. Handlers that were there
    before are called then.

    is_writing() tells whether this thread is writing already: then a signal waits until pass_on() is called."""

    def __init__(self, write: Callable[[str], Any], is_writing: Callable[[], bool], asks: Optional[int]) -> None:
        self._write_file, self._is_writing = write, is_writing
        self._previous: Dict[int, Any] = {}
        self._postponed: List[int] = []
        self._is_on = True
        self._answered: Dict[int, threading.Event] = {}  # by signal: the thread has written
        self._wake_up = -1
        self._mask: Any = None
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may set handlers
        ranks = os.environ.get("WORLD_SIZE", "")
        distributed = ranks.isdigit() and int(ranks) > 1
        for number in (asks, signal.SIGTERM if distributed else None):
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                self._answered[number] = threading.Event()
                self._previous[number] = signal.signal(number, self._handle)
        if self._previous:
            self._listen()

    def restore(self) -> None:
        """Gives the signals back to whom they belonged before. Only the main thread may; in another one the handlers stay,
        and do nothing but pass on."""
        self._is_on = False
        if threading.current_thread() is not threading.main_thread():
            return
        for number, previous in self._previous.items():
            if self._is_ours(number):
                signal.signal(number, previous or signal.SIG_DFL)
        if self._wake_up >= 0:
            other = signal.set_wakeup_fd(-1)
            if other not in (-1, self._wake_up):
                signal.set_wakeup_fd(other)
            os.close(self._wake_up)  # ends the thread
            self._wake_up = -1

    def pass_on(self) -> None:
        """Answers signals that came while the main thread was writing."""
        if self._postponed and threading.current_thread() is threading.main_thread():
            numbers, self._postponed = self._postponed, []
            for number in sorted(set(numbers), key=lambda number: number == signal.SIGTERM):
                self._handle(number, None)

    def hold(self) -> None:
        """Before a fork: until the child has given up its handlers, a signal of its own would be heard by the parent."""
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, list(self._previous))

    def release(self) -> None:
        """After it, in both."""
        if self._mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
            self._mask = None

    def _is_ours(self, number: int) -> bool:
        return signal.getsignal(number) == self._handle

    def _listen(self) -> None:
        read, write = os.pipe()
        os.set_blocking(write, False)
        taken = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        if taken >= 0:  # an event loop hears of signals: it goes on, and handlers write when Python runs them
            signal.set_wakeup_fd(taken)
            os.close(read)
            os.close(write)
            return
        self._wake_up = write
        threading.Thread(target=self._wait, args=(read,), name="highwater-signals", daemon=True).start()

    def _wait(self, read: int) -> None:
        while True:
            byte = os.read(read, 1)
            if not byte:
                os.close(read)
                return
            number = byte[0]
            if not self._is_on or number not in self._previous or not self._is_ours(number):
                continue  # a handler that the script has set since then answers
            self._answer(number)
            self._answered[number].set()
            if number == signal.SIGTERM and not callable(self._previous[number]):
                time.sleep(1)  # the main thread ends the process by the signal, unless it waits in C++
                os._exit(128 + number)

    def _thread_hears(self, number: int) -> bool:
        """Asked in the main thread: an event loop may have taken the descriptor since then."""
        if self._wake_up < 0 or not self._is_ours(number):
            return False
        now = signal.set_wakeup_fd(-1)
        if now >= 0:
            signal.set_wakeup_fd(now, warn_on_full_buffer=now != self._wake_up)
        return now == self._wake_up

    def _handle(self, number: int, frame: Any) -> None:
        if self._is_on:
            if self._is_writing():
                self._postponed.append(number)
                return
            if self._thread_hears(number):
                self._answered[number].wait(30)
                self._answered[number].clear()
            else:
                self._answer(number)
        previous = self._previous.get(number)
        if callable(previous):
            previous(number, frame)
        elif number == signal.SIGTERM:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _answer(self, number: int) -> None:
        self._write_file("terminated" if number == signal.SIGTERM else "signal")
