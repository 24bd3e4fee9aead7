"""Counts the steps of torch's optimizers: says on standard error how far the run is, ends it where that was asked for,
and knows for the verdict whether anything was trained."""
import importlib
import os
import sys
import weakref

_counts = weakref.WeakKeyDictionary()  # of the optimizers that there are
_state = {"optimizers": 0, "steps": 0, "told": 0, "ended_after": None, "after_oom": None, "between_ooms": False,
          "on_host": None}


def attach(torch, settings, rank):
    """`rank()` of this process."""
    limit = settings["max_steps"]

    def after(optimizer, arguments, keywords):
        count = _counts[optimizer] = _counts.get(optimizer, 0) + 1
        _state["steps"] += 1
        if _state["on_host"] is not False:
            parameters = [parameter for group in getattr(optimizer, "param_groups", []) for parameter in group["params"]]
            _state["on_host"] = bool(parameters) and not any(parameter.is_cuda for parameter in parameters)
        if _state["after_oom"] is not None:
            _state["after_oom"] += 1
        if settings["tells_steps"] and _is_told(count) and count > _state["told"] and rank() in (0, None):
            _state["told"] = count
            _tell(torch, count)
        # Where several take turns, all of them have theirs; one that is never used is not waited for.
        if limit and (min(_counts.values()) >= limit or count > limit):
            _state["ended_after"] = limit
            sys.stdout.flush()
            sys.stderr.flush()
            _end_children()
            os._exit(0)  # which writes the snapshot: nothing of the script can hold it up

    real = torch.optim.Optimizer.__init__

    def __init__(self, *arguments, **keywords):
        real(self, *arguments, **keywords)
        _counts.setdefault(self, 0)
        _state["optimizers"] += 1

    torch.optim.Optimizer.__init__ = __init__
    hook = torch._disable_dynamo(after) if hasattr(torch, "_disable_dynamo") else after
    importlib.import_module("torch.optim.optimizer").register_optimizer_step_post_hook(hook)


def _end_children():
    """Workers of a DataLoader look only every few seconds whether their parent is there."""
    importlib.import_module("highwater_ends").end_now()
    multiprocessing = sys.modules.get("multiprocessing")
    for child in multiprocessing.active_children() if multiprocessing else []:
        child.terminate()


def run_out():
    """Memory ran out. Where steps lie between two such errors, something may have been left out each time."""
    if _state["after_oom"]:
        _state["between_ooms"] = True
    _state["after_oom"] = 0


def facts():
    """For the journal. Of steps after the last out of memory: None where there was none."""
    return {key: _state[key] for key in ("optimizers", "steps", "ended_after", "after_oom", "between_ooms", "on_host")}


def _is_told(count):
    """1, 2, 5, 10, 20, 50 and so on."""
    return str(count).rstrip("0") in ("1", "2", "5")


def _tell(torch, count):
    reserved = torch.cuda.max_memory_reserved() if torch.cuda.is_initialized() else 0
    print(f"highwater: step {count} is done, {reserved / 2**30:.2f} GiB reserved at the peak", file=sys.stderr, flush=True)
