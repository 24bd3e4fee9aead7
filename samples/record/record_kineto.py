#!/usr/bin/env python3
"""Records a profiler trace with memory events: operators, kernels, stacks, shapes and each allocation on one clock.

In a training script:

    with profiler("trace_rank0.json") as steps:
        for batch in loader:
            train_step(batch)
            steps.step()

usage: record_kineto.py [OUT.json]         (uses CUDA when there is one)
"""
import argparse

from tiny_model import build, require_torch, train_step

# Traces grow by megabytes a step, so only a few steps are kept: wait 1, warm up 2 (optimizer state, autotuning), record 4.
WAIT, WARMUP, ACTIVE = 1, 2, 4


def profiler(path):
    """profile_memory gives the [memory] events; with_stack and record_shapes make them attributable, at some cost."""
    import torch
    activities = [torch.profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    return torch.profiler.profile(
        activities=activities,
        schedule=torch.profiler.schedule(wait=WAIT, warmup=WARMUP, active=ACTIVE, repeat=1),
        on_trace_ready=lambda profile: profile.export_chrome_trace(str(path)),
        profile_memory=True, with_stack=True, record_shapes=True)


def main():
    parser = argparse.ArgumentParser(description="Records a profiler trace of a small model.")
    parser.add_argument("out", nargs="?", default="trace.json", help="ends in .json or .json.gz")
    out = parser.parse_args().out
    torch = require_torch(cuda=False)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, optimizer = build(torch, device)
    with profiler(out) as steps:
        for _ in range(WAIT + WARMUP + ACTIVE):
            train_step(torch, model, optimizer, device=device)
            steps.step()
    print(f"wrote {out} ({device})")


if __name__ == "__main__":
    main()
