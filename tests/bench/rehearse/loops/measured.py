"""Helpers of the loops: they run a step as the measurement did and print the peaks that PyTorch counted."""
import torch


def printed(label):
    """One line for run.py: what was in use and reserved at most since the last reset."""
    print("MEASURED", label, torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved(), flush=True)


def steady(label, step, before=2):
    """The peaks of one step after those that allocate what stays, such as optimizer state and gradients."""
    for _ in range(before):
        step()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    step()
    torch.cuda.synchronize()
    printed(label)


def fresh():
    """Nothing cached and no peak, as measurements do between two cases of one process."""
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
