"""The history: a clock, one ring buffer of trace entries a device, and the annotation list."""
import random
from contextlib import contextmanager

EPOCH_US = 1_790_000_000_000_000  # a fixed moment of September 2026: the simulation never looks at a clock


class Clock:
    """Unix microseconds that only move forward, with a reproducible jitter."""

    def __init__(self, seed):
        self.now = EPOCH_US
        self._random = random.Random(seed)

    def tick(self, microseconds=2):
        self.now += microseconds + self._random.getrandbits(2)
        return self.now


class Trace:
    """Trace entries of one device. When full, the oldest entry of any action is lost."""

    def __init__(self, clock, era, max_entries=None):
        self.clock, self.era, self.max_entries = clock, era, max_entries
        self.entries = []
        self.overflowed = False

    def record(self, action, where, size, stream=0, pool_id=(0, 0), stack=None, metadata="", place="addr"):
        entry = {"action": action, place: where, "size": size, "stream": stream, "time_us": self.clock.tick()}
        if self.era.compile_context:
            entry["compile_context"] = "N/A"
            entry["user_metadata"] = metadata
        if self.era.pool_id:
            entry["pool_id"] = tuple(pool_id)
        if stack is not None:
            entry["frames"] = stack
        self._append(entry)

    def _append(self, entry):
        self.entries.append(entry)
        if self.max_entries and len(self.entries) > self.max_entries:
            del self.entries[0]
            self.overflowed = True


class Annotations:
    """record_function ranges of user scope, as START and END entries."""

    def __init__(self, clock):
        self.clock = clock
        self.entries = []

    def mark(self, name, stage, device=0):
        self.entries.append({"stage": stage, "name": name, "device": device, "time_us": self.clock.tick(1)})

    @contextmanager
    def range(self, name, device=0):
        """The END is written even when the body raises, as record_function does."""
        self.mark(name, "START", device)
        try:
            yield
        finally:
            self.mark(name, "END", device)
