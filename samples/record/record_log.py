#!/usr/bin/env python3
"""Writes one JSON line a step with the allocator's counters: the cheapest record of a long run.

In a training script, after each step:

    print(memory_line(step, loss=loss.item()))

usage: record_log.py [STEPS]               (needs a CUDA device)
"""
import argparse
import json
import time

from tiny_model import build, require_torch, train_step

MIB = 1 << 20


def memory_line(step, device=None, reset_peak=True, **values):
    """`mem_*_mb` are MiB. With reset_peak, mem_max_alloc_mb is the peak of this step and not of the whole run."""
    import torch
    line = {
        "iter": step, **values,
        "time": round(time.time(), 3),
        "mem_alloc_mb": round(torch.cuda.memory_allocated(device) / MIB, 1),
        "mem_reserved_mb": round(torch.cuda.memory_reserved(device) / MIB, 1),
        "mem_max_alloc_mb": round(torch.cuda.max_memory_allocated(device) / MIB, 1),
    }
    if reset_peak:
        torch.cuda.reset_peak_memory_stats(device)
    return json.dumps(line)


def main():
    parser = argparse.ArgumentParser(description="Logs the memory of a small model's training steps.")
    parser.add_argument("steps", nargs="?", type=int, default=20)
    steps = parser.parse_args().steps
    torch = require_torch()
    model, optimizer = build(torch)
    for step in range(steps):
        loss = train_step(torch, model, optimizer)
        print(memory_line(step, loss=round(loss, 4)), flush=True)


if __name__ == "__main__":
    main()
