#!/usr/bin/env python3
"""Lets requests fail for different reasons, and dumps the allocator's history at the failure.

usage: highwater rehearse --gpu L4 --history script -- python record_failures.py REASON OUT.pickle
REASON: cap (a memory fraction of the process), full (the same without it), stream (the room is in blocks of another
stream), one-stream (the same on one stream: the request fits).
"""
import sys

import torch

MIB = 2**20


def tensor(mib):
    return torch.empty(mib * MIB, dtype=torch.uint8, device="cuda")


def fill(reason):
    """Weights and activations of ever larger batches, until no more fits."""
    if reason == "cap":
        torch.cuda.set_per_process_memory_fraction(0.5)
    kept = [tensor(200) for _ in range(8)]
    while True:
        kept.append(tensor(512))


def split_between_streams(reason):
    """A side stream leaves a hole of 8 GiB beside a small tensor that lives on; the main stream asks for as much."""
    side = torch.cuda.Stream() if reason == "stream" else torch.cuda.current_stream()
    with torch.cuda.stream(side):
        large = tensor(9000)
        del large
        kept = [tensor(800)]
    kept.append(tensor(11000))
    kept.append(tensor(8000))
    return kept


def main():
    reason, path = sys.argv[1:]
    torch.cuda.memory._record_memory_history(stacks="python")
    try:
        fill(reason) if reason in ("cap", "full") else split_between_streams(reason)
    except torch.OutOfMemoryError as error:
        print(error)
    torch.cuda.memory._dump_snapshot(path)


if __name__ == "__main__":
    main()
