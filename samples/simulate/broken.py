"""Inputs that a reader must refuse, or open as far as they go. Nothing here is ever loaded by this program."""
import gzip
import json
import pickle

from simulate import cupti_text, memory_timeline, nsys
from simulate.output import to_pickle
from simulate.scenarios import tiny

NESTING = 5_000


def files():
    snapshot = tiny.play()
    data = to_pickle(snapshot)
    text = json.dumps(snapshot).encode()
    yield "truncated.pickle", data[:len(data) * 3 // 5]
    yield "gzip-cut.pickle.gz", _cut(gzip.compress(data, mtime=0), 3, 5)
    yield "json-cut.json", _cut(text, 3, 5)
    yield "empty.pickle", b""
    yield "protocol-7.pickle", b"\x80\x07" + data[2:]
    yield "not-a-snapshot.pickle", pickle.dumps({"model": {"layers": 12}, "history": [1, 2, 3]}, 4)
    yield "calls-os-system.pickle", b"\x80\x02}X\x08\x00\x00\x00segmentscos\nsystem\nX\x0b\x00\x00\x00echo called\x85Rs."
    yield "stack-global-posix-system.pickle", (
        b"\x80\x04}\x94\x8c\x08segments\x94\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x0becho called\x94\x85\x94R\x94s.")
    yield "memo-unset.pickle", b"\x80\x04}\x94\x8c\x08segments\x94h\x4ds."
    yield "huge-length.pickle", b"\x80\x04}\x94X\xf0\xff\xff\xffsegments"
    yield "huge-length-64.pickle", b"\x80\x04}\x94\x8d" + (1 << 62).to_bytes(8, "little") + b"segments"
    yield "setitems-odd.pickle", b"\x80\x04}\x94(\x8c\x08segments\x94]\x94\x8c\x0ddevice_traces\x94u."
    yield "appends-without-mark.pickle", b"\x80\x04]\x94K\x01K\x02e."
    yield "deep-nesting.pickle", b"\x80\x04" + b"]" * NESTING + b"a" * (NESTING - 1) + b"."
    yield "reference-bomb.pickle", _reference_bomb(64)
    yield "wrong-types.pickle", _wrong_types(snapshot)
    yield from nsys.broken_files()
    yield from memory_timeline.broken_files()
    yield from cupti_text.broken_files()


def _cut(data, numerator, denominator):
    return data[:len(data) * numerator // denominator]


def _reference_bomb(levels):
    """A list of ten references to a list of ten references …: small on disk, 10**64 items when expanded."""
    inner = ["x"]
    for _ in range(levels):
        inner = [inner] * 10
    return pickle.dumps({"segments": inner, "device_traces": []}, 4)


def _wrong_types(snapshot):
    """A string, a float and a missing value where integers belong; the rest is sound."""
    trace = [dict(entry) for entry in snapshot["device_traces"][0]]
    trace[2]["size"] = "4194304"
    trace[3]["addr"] = float("nan")
    trace[4]["time_us"] = None
    return pickle.dumps(snapshot | {"device_traces": [trace]}, 4)
