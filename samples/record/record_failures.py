#!/usr/bin/env python3
"""Lets requests fail for different reasons, and dumps the allocator's history at the failure.

usage: highwater rehearse --gpu L4 --history script -- python record_failures.py REASON OUT.pickle
REASON: cap (a memory fraction of the process), full (the same without it), stream (the room is in blocks of another
stream), one-stream (the same on one stream: the request fits), reserve (a request larger than an expandable segment
may be), refused (throw_on_cudamalloc_oom: no cache is returned, and no event tells of the failure). The last two need
PyTorch 2.15.
"""
import os
import sys

SETTINGS = {"reserve": "expandable_segments:True,expandable_segments_reserve:0.005",
            "refused": "throw_on_cudamalloc_oom:True"}
if sys.argv[1] in SETTINGS:
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = SETTINGS[sys.argv[1]]

import torch  # noqa: E402 (reads the settings)

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


def outgrow_segments(reason):
    """Tensors that come and go in segments of 120 MiB, then one that no segment can hold."""
    kept = []
    for turn in range(60):
        kept.append(tensor(2 + turn * 7 % 33))
        if turn % 5 == 4:
            del kept[turn % 7]
    kept.append(tensor(600))


def outgrow_the_gpu(reason):
    """A cache of 11,000 MiB, and a request that would fit if PyTorch returned it."""
    kept = [tensor(9000)]
    del kept[0]
    kept.append(tensor(2000))
    kept.append(tensor(7500))
    kept.append(tensor(11000))
    del kept[:]
    kept.append(tensor(20000))


FAILURES = {"cap": fill, "full": fill, "stream": split_between_streams, "one-stream": split_between_streams,
            "reserve": outgrow_segments, "refused": outgrow_the_gpu}


def main():
    reason, path = sys.argv[1:]
    torch.cuda.memory._record_memory_history(stacks="python")
    try:
        FAILURES[reason](reason)
    except torch.OutOfMemoryError as error:
        print(error)
    torch.cuda.memory._dump_snapshot(path)


if __name__ == "__main__":
    main()
