"""How this process ends: by an exception, a code, a signal, and whether a thread of it failed. What never says that it
ended was killed, or still runs."""
import os
import sys
import threading
import time

_state = {"code": 0, "is_stopped": False, "begun": None, "thread": "", "inherited": None, "is_ending": False}


def watch():
    """From the import of torch on. What `sys.exit` was given is known nowhere else by the time that matters."""
    real_exit, real_hook = sys.exit, threading.excepthook

    def exit(code=None):
        _state["code"] = code
        real_exit(code)

    def excepthook(arguments):
        if arguments.exc_type is not SystemExit and not _state["thread"] and not _state["is_ending"]:
            _state["thread"] = f"{arguments.exc_type.__name__}: {arguments.exc_value}"[:200]
        real_hook(arguments)

    sys.exit, threading.excepthook = exit, excepthook


def begin():
    """The simulated GPU is used."""
    _state["begun"] = time.time()


def stop():
    """Called on SIGTERM: whoever sent it may have wanted that."""
    _state["is_stopped"] = True


def end_now():
    """The run is ended on request: what threads miss from now on says nothing about it."""
    _state["is_ending"] = True


def inherit():
    """In a child that was forked while its parent handled an exception: that is not the child's."""
    _state["inherited"] = sys.exc_info()[1]


def leave(code):
    _state["code"] = code


def exception(torch):
    """"memory", also where a library raised another exception of it, "other", or ""."""
    error = sys.exc_info()[1] or getattr(sys, "last_value", None)
    if error is not None and error is _state["inherited"]:
        error = None
    if isinstance(error, SystemExit):
        _state["code"] = error.code
        error = None
    if error is None:
        return "" if _state["is_stopped"] or _state["code"] in (0, None) else "other"
    seen = []
    while error is not None and error not in seen:
        if isinstance(error, torch.cuda.OutOfMemoryError):
            return "memory"
        seen.append(error)
        error = error.__cause__ or error.__context__
    return "other"


def facts():
    """For the journal."""
    return {"pid": os.getpid(), "begun": _state["begun"], "is_stopped": _state["is_stopped"], "thread": _state["thread"],
            "visible": os.environ.get("CUDA_VISIBLE_DEVICES"), "time": time.time()}
