"""Call stacks: Python call sites, and how the recorder weaves them with C++ frames."""
from simulate import frames

SITE_PACKAGES = "/usr/lib/python3/site-packages"
TORCH = f"{SITE_PACKAGES}/torch"
MODULE_PY = f"{TORCH}/nn/modules/module.py"
FUNCTIONAL_PY = f"{TORCH}/nn/functional.py"


class Site:
    """A place in the Python program: frames innermost first, and how many of them are module calls."""

    def __init__(self, python=(), modules=0):
        self.python, self.modules = tuple(python), modules

    def call(self, name, filename, line):
        """A plain call, made further in."""
        return Site(((name, filename, line),) + self.python, self.modules)

    def module(self, filename, line, name="forward"):
        """nn.Module.__call__: two frames of module.py around the module's own forward."""
        around = (("_call_impl", MODULE_PY, 1790), ("_wrapped_call_impl", MODULE_PY, 1779))
        return Site(((name, filename, line),) + around + self.python, self.modules + 1)


def script(filename, line, main_line):
    """The outermost frames of a training script."""
    return Site((("main", filename, line), ("<module>", filename, main_line)))


class Stacks:
    """Makes stacks as lists of frame dicts. One dict for each distinct frame; a fresh list for each stack, as in real files."""

    def __init__(self):
        self._frames = {}

    def _frame(self, name, filename, line=0):
        key = (name, filename, line)
        if key not in self._frames:
            # "".join gives each frame strings of its own: real files share none between frames.
            self._frames[key] = {"name": "".join(list(name)), "filename": "".join(list(filename)), "line": line}
        return self._frames[key]

    def _list(self, entries):
        return [self._frame(*entry) for entry in entries]

    def alloc(self, op, site):
        """An operator called from Python."""
        return self._list(frames.MALLOC + frames.operator(op) + frames.binding(op) + _woven(site))

    def alloc_backward(self, op, node):
        """The engine's thread: C++ frames only."""
        return self._list(frames.MALLOC + frames.backward_node(op, node) + frames.GRAPH_THREAD)

    def free(self, site):
        return self._list(frames.FREE_BY_PYTHON + _woven(site))

    def free_backward(self):
        return self._list(frames.FREE_BY_ENGINE + frames.GRAPH_THREAD[1:])

    def empty_cache(self, site):
        return self._list(frames.EMPTY_CACHE + _woven(site.call("empty_cache", f"{TORCH}/cuda/memory.py", 224)))

    def pinned(self, site):
        return self._list(frames.PINNED + _woven(site))

    def python_only(self, site):
        """`stacks="python"`: no C++ frames at all."""
        return self._list(site.python)


class NoStacks:
    """Recording without context: every kind of stack is none."""

    def __getattr__(self, kind):
        return lambda *where: None


def _woven(site):
    """One Python frame stands before each C++ eval frame; from Python 3.11 on the remaining Python frames follow `_start`."""
    evals = list(frames.MODULE_CALL) * site.modules + [frames.START]
    python = list(site.python)
    woven = []
    for group in evals:
        if python:
            woven.append(python.pop(0))
        woven.extend(group)
    return tuple(woven + python)
