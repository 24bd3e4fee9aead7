"""The encoding of torch::cuda::_memory_snapshot_pickled(), which C++ programs write.

Protocol 2. One MARK … SETITEMS/APPENDS for each container, however long, also for empty ones. Memo numbers are given
after the contents: to strings always and by value, to containers only when they are used more than once. Integers
that do not fit in 32 bits take 8 signed bytes, so addresses of 2**63 and above come out negative.
"""
import struct
from collections import Counter


def encode(value):
    return _Writer(value).result


class _Writer:
    def __init__(self, value):
        self._uses = Counter()
        self._count(value)
        self._memo = {}
        self._parts = [b"\x80\x02"]
        self._write(value)
        self.result = b"".join(self._parts) + b"."

    def _count(self, value):
        """How often each container is used; contents of a shared one count once."""
        if not isinstance(value, (dict, list)):
            return
        self._uses[id(value)] += 1
        if self._uses[id(value)] == 1:
            for one in value.values() if isinstance(value, dict) else value:
                self._count(one)

    def _write(self, value):
        if isinstance(value, (dict, list)):
            self._container(value)
        elif isinstance(value, str):
            self._string(value)
        elif isinstance(value, tuple):
            for one in value:
                self._write(one)
            self._parts.append(b"\x86")
        else:
            self._parts.append(_scalar(value))

    def _string(self, text):
        if not self._recall(text):
            data = text.encode()
            self._parts.append(b"X" + struct.pack("<I", len(data)) + data)
            self._remember(text)

    def _container(self, value):
        if self._recall(id(value)):
            return
        is_dict = isinstance(value, dict)
        self._parts.append(b"}(" if is_dict else b"](")
        for one in (part for row in value.items() for part in row) if is_dict else value:
            self._write(one)
        self._parts.append(b"u" if is_dict else b"e")
        if self._uses[id(value)] > 1:
            self._remember(id(value))

    def _recall(self, key):
        number = self._memo.get(key)
        if number is not None:
            self._parts.append(b"h" + bytes([number]) if number < 256 else b"j" + struct.pack("<I", number))
        return number is not None

    def _remember(self, key):
        number = self._memo[key] = len(self._memo)
        self._parts.append(b"q" + bytes([number]) if number < 256 else b"r" + struct.pack("<I", number))


def _scalar(value):
    if isinstance(value, bool):
        return b"\x88" if value else b"\x89"
    if isinstance(value, float):
        return b"G" + struct.pack(">d", value)
    if 0 <= value < 1 << 8:
        return b"K" + bytes([value])
    if 0 <= value < 1 << 16:
        return b"M" + struct.pack("<H", value)
    if -(1 << 31) <= value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    return b"\x8a\x08" + (value % (1 << 64)).to_bytes(8, "little")
