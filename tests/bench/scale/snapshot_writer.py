"""Writes memory snapshots as PyTorch pickles them, event by event, without holding them in memory."""
import struct

BATCH = 1000  # items of a list that pickle appends at once


class SnapshotWriter:
    """Frames and stacks are written once and referred to after that, as pickle does with equal objects.

    Order: trace(), events of it (allocate, free, other), the next trace(); segments(), segment() with its blocks; close().
    """

    def __init__(self, path):
        self._file = open(path, "wb", buffering=1 << 20)
        self._memo = {}
        self._write = self._file.write
        self._time = 0
        self._write(b"\x80\x02}(" + self.text("device_traces") + b"](")
        self._open_trace = False

    def text(self, value):
        return self._once(value, lambda: b"X" + struct.pack("<I", len(value.encode())) + value.encode())

    def stack(self, frames):
        """frames: innermost first, (function, file, line) each."""
        return self._once(frames, lambda: b"](" + b"".join(map(self._frame, frames)) + b"e")

    def trace(self):
        self._write(b"e" if self._open_trace else b"")
        self._open_list()
        self._open_trace = True

    def allocate(self, address, size, frames=(), stream=0):
        self._event("alloc", address, size, frames, stream)

    def free(self, address, size, frames=(), stream=0, pending=False):
        self._event("free_requested", address, size, frames, stream)
        if not pending:
            self._event("free_completed", address, size, frames, stream)

    def complete(self, address, size, frames=(), stream=0):
        self._event("free_completed", address, size, frames, stream)

    def other(self, action, address, size, stream=0):
        self._event(action, address, size, (), stream)

    def segments(self):
        self._write(b"ee" if self._open_trace else b"e")
        self._write(self.text("segments"))
        self._open_list()

    def segment(self, address, total, blocks, stream=0, pool=(0, 0)):
        """blocks: (size, state, frames) each, tiling the segment."""
        used = sum(size for size, state, _ in blocks if state != "inactive")
        self._next_item()
        self._write(b"}(" + self.text("device") + self.number(0) + self.text("address") + self.number(address)
                    + self.text("total_size") + self.number(total) + self.text("allocated_size") + self.number(used)
                    + self.text("active_size") + self.number(used) + self.text("requested_size") + self.number(used)
                    + self.text("stream") + self.number(stream) + self.text("segment_type") + self.text("large")
                    + self.text("segment_pool_id") + b"(" + self.number(pool[0]) + self.number(pool[1]) + b"t"
                    + self.text("is_expandable") + b"\x89" + self.text("frames") + self.stack(()) + self.text("blocks") + b"](")
        for size, state, frames in blocks:
            self._write(b"}(" + self.text("address") + self.number(address) + self.text("size") + self.number(size)
                        + self.text("requested_size") + self.number(size) + self.text("state") + self.text(state)
                        + self.text("frames") + self.stack(frames) + b"u")
            address += size
        self._write(b"eu")

    def close(self, annotations=()):
        self._write(b"e" + self.text("external_annotations") + b"](")
        for stage, name, time in annotations:
            self._write(b"}(" + self.text("stage") + self.text(stage) + self.text("name") + self.text(name) + self.text("device")
                        + self.number(0) + self.text("time_us") + self.number(time) + b"u")
        self._write(b"e" + self.text("allocator_settings") + b"}u.")
        self._file.close()

    @property
    def now(self):
        return self._time

    @staticmethod
    def number(value):
        if 0 <= value < 1 << 31:
            return b"J" + struct.pack("<i", value)
        return b"\x8a\x08" + struct.pack("<q", value)

    def _once(self, key, make):
        index = self._memo.get(key)
        if index is not None:
            return b"j" + struct.pack("<I", index)
        made = make()
        self._memo[key] = len(self._memo)
        return made + b"r" + struct.pack("<I", self._memo[key])

    def _frame(self, frame):
        function, file, line = frame
        return self._once(frame, lambda: b"}(" + self.text("name") + self.text(function) + self.text("filename") + self.text(file)
                          + self.text("line") + self.number(line) + b"u")

    def _open_list(self):
        self._write(b"](")
        self._items = 0

    def _next_item(self):
        if self._items == BATCH:
            self._write(b"e(")
            self._items = 0
        self._items += 1

    def _event(self, action, address, size, frames, stream):
        self._time += 3
        self._next_item()
        self._write(b"}(" + self.text("action") + self.text(action) + self.text("addr") + self.number(address) + self.text("size")
                    + self.number(size) + self.text("stream") + self.number(stream) + self.text("time_us") + self.number(self._time)
                    + self.text("frames") + self.stack(frames) + b"u")
