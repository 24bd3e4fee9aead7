"""record_memory.py: save this file beside the training script.

    import record_memory
    record_memory.start()            # on every rank, after torch.cuda.set_device, before the model is made

Every rank writes memory/WHY/rankN.pickle: at the first three times that memory runs out (WHY: oom, oom-2, oom-3), on SIGUSR1
(kill -USR1 PID; WHY: signal-1 and so on), and where the script calls dump. Open a folder with all ranks: highwater report memory/oom
"""
import os
import signal

import torch

FOLDER = os.environ.get("RECORD_MEMORY_FOLDER", "memory")
MAX_ENTRIES = int(os.environ.get("RECORD_MEMORY_ENTRIES") or 500_000)  # events that are kept; the oldest go first
RANK = int(os.environ.get("RANK") or os.environ.get("SLURM_PROCID") or 0)
_times = {"oom": 0, "signal": 0}


def start(stacks="python"):
    """stacks="all" adds frames of C++: the backward pass gets stacks, and recording takes about three times as long."""
    _history(stacks)
    torch._C._cuda_attach_out_of_memory_observer(lambda *_: _on_out_of_memory())  # before the exception frees tensors
    signal.signal(signal.SIGUSR1, lambda *_: _count_and_dump("signal"))


def dump(why, clear=False):
    """With clear the next file begins here: without it every file holds all that the ones before it hold."""
    path = os.path.join(FOLDER, str(why), f"rank{RANK}.pickle")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    torch.cuda.memory._dump_snapshot(path + ".part")
    os.replace(path + ".part", path)  # nobody reads half a file
    print(f"[rank {RANK}] wrote {path}", flush=True)
    if clear:
        torch.cuda.memory._record_memory_history(enabled=None)
        _history(_stacks)


def _history(stacks):
    global _stacks
    _stacks = stacks
    torch.cuda.memory._record_memory_history(stacks=stacks, max_entries=MAX_ENTRIES)


def _on_out_of_memory():
    if _times["oom"] < 3:  # a search for the batch size may try often
        _count_and_dump("oom")


def _count_and_dump(why):
    _times[why] += 1
    dump(why if why == "oom" and _times[why] == 1 else f"{why}-{_times[why]}")
