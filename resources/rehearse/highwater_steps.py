"""Counts the steps of torch's optimizers: says on standard error how far the run is, and ends it where that was asked for."""
import os
import sys
import weakref


def attach(torch, settings, rank):
    """`rank()` of this process. Returns a dictionary: "ended_after" is in it once the run was ended after so many steps."""
    steps = weakref.WeakKeyDictionary()
    state = {"told": 0}

    def after(optimizer, arguments, keywords):
        steps[optimizer] = steps.get(optimizer, 0) + 1
        count = max(steps.values())
        if settings["tells_steps"] and _is_told(count) and count > state["told"] and rank() in (0, None):
            state["told"] = count
            _tell(torch, count)
        # Where several optimizers take turns, all of them have had theirs.
        if settings["max_steps"] and min(steps.values()) >= settings["max_steps"]:
            state["ended_after"] = count
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)  # which writes the snapshot: nothing of the script can hold it up

    hook = torch._disable_dynamo(after) if hasattr(torch, "_disable_dynamo") else after
    torch.optim.optimizer.register_optimizer_step_post_hook(hook)
    return state


def _is_told(count):
    """1, 2, 5, 10, 20, 50 and so on."""
    return str(count).rstrip("0") in ("1", "2", "5")


def _tell(torch, count):
    reserved = torch.cuda.max_memory_reserved() if torch.cuda.is_initialized() else 0
    print(f"highwater: step {count} is done, {reserved / 2**30:.2f} GiB reserved at the peak", file=sys.stderr, flush=True)
