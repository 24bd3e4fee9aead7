#!/usr/bin/env python3
"""Exports the profiler's memory timeline: bytes by category (parameter, gradient, activation, …) over time.

The form follows the extension: .html is a picture, .json the sums by category, .raw.json.gz every single event. Newer
versions of PyTorch warn that export_memory_timeline is deprecated in favour of memory snapshots (record_snapshot.py).

usage: record_memory_timeline.py [OUT.raw.json.gz]     (uses CUDA when there is one)
"""
import argparse

from tiny_model import build, require_torch, train_step


def main():
    parser = argparse.ArgumentParser(description="Exports the memory timeline of a small model.")
    parser.add_argument("out", nargs="?", default="timeline.raw.json.gz")
    out = parser.parse_args().out
    torch = require_torch(cuda=False)
    device = "cuda:0" if torch.cuda.is_available() else "cpu"
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device != "cpu":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    model, optimizer = build(torch, device)
    # All three options are needed: the categories are inferred from shapes and from the operators' stacks.
    with torch.profiler.profile(activities=activities, profile_memory=True, with_stack=True, record_shapes=True) as profile:
        for _ in range(3):
            train_step(torch, model, optimizer, device=device)
    profile.export_memory_timeline(out, device=device)
    print(f"wrote {out} ({device})")


if __name__ == "__main__":
    main()
