#!/usr/bin/env python3
"""Records a CUDA memory snapshot of a few training steps, and one at an out-of-memory.

In a training script:

    from record_snapshot import recorded
    with recorded("snapshot.pickle"):      # around four to ten steps; the first two fill caches and optimizer state
        for _ in range(6):
            train_step()

usage: record_snapshot.py [OUT.pickle]     (runs a small model; needs a CUDA device)
"""
import argparse
import os
from contextlib import contextmanager

from tiny_model import build, require_torch, train_step

# Each entry costs a few hundred bytes in the file and more while recording. When the buffer is full the oldest entries
# are lost; a history that starts before the first step is worth more than a long one.
MAX_ENTRIES = 1_000_000


def start(max_entries=MAX_ENTRIES, stacks="all"):
    """stacks="all" adds C++ frames: without them every allocation of the backward pass has an empty stack.

    stacks="python" records about three times faster. context="all" (the default) also keeps the stack of each free.
    """
    import torch
    torch.cuda.memory._record_memory_history(enabled="all", context="all", stacks=stacks, max_entries=max_entries)


def stop_and_dump(path):
    """Dump first, then stop: stopping clears the history."""
    import torch
    try:
        torch.cuda.memory._dump_snapshot(str(path))
        print(f"wrote {path}")
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)


def dump_on_oom(path):
    """Writes PATH at the moment of an out-of-memory, before the exception unwinds and frees tensors."""
    import torch

    def observer(device, requested, total, free):
        torch.cuda.memory._dump_snapshot(str(path))
        print(f"out of memory on device {device}: {requested} bytes asked for, {free} of {total} free; wrote {path}")

    torch._C._cuda_attach_out_of_memory_observer(observer)


def ranked(path):
    """Nothing in a snapshot names its rank, so the file name must."""
    rank = os.environ.get("RANK")
    stem, extension = os.path.splitext(str(path))
    return f"{stem}_rank{rank}{extension}" if rank is not None else str(path)


@contextmanager
def recorded(path, **options):
    """Records the body and writes the snapshot at its end, also when it raises; an out-of-memory gets a file of its own."""
    path = ranked(path)
    stem, extension = os.path.splitext(path)
    start(**options)
    dump_on_oom(f"{stem}_oom{extension}")
    try:
        yield
    finally:
        stop_and_dump(path)


def main():
    parser = argparse.ArgumentParser(description="Records a memory snapshot of a small model.")
    parser.add_argument("out", nargs="?", default="snapshot.pickle")
    out = parser.parse_args().out
    torch = require_torch()
    with recorded(out):
        model, optimizer = build(torch)
        for _ in range(6):
            train_step(torch, model, optimizer)


if __name__ == "__main__":
    main()
