"""Watches what a script reads back from the simulated GPU: rules say what it gets, and reads that may have decided a
size without a rule are kept for the verdict."""
import ctypes
import os
import runpy
import sys
import threading

_TORCH = os.sep + "torch" + os.sep
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
_MAX_FRAMES = 40


def _both(settings, name):
    """What the user's file names, then the usual."""
    import highwater_rules

    own = runpy.run_path(settings["rules"]).get(name, []) if settings["rules"] else []
    return list(own) + getattr(highwater_rules, name)


def replacements(settings):
    """(module, name of a function in it, function)."""
    return _both(settings, "REPLACED")


def replace(module, name, replacement):
    """"Class.method" or "function" of a module that was just imported."""
    *path, last = name.split(".")
    owner = module
    for part in path:
        owner = getattr(owner, part, None)
    real = getattr(owner, last, None)
    if real is None:
        return

    def replaced(*arguments, **keywords):
        return replacement(real, *arguments, **keywords)

    replaced.__name__ = last
    setattr(owner, last, replaced)


def _frames():
    """(function, file, line) from the innermost out, without this module."""
    frame = sys._getframe(2)
    found = []
    while frame and len(found) < _MAX_FRAMES:
        file = frame.f_code.co_filename
        if not file.startswith(_OWN):
            found.append((frame.f_code.co_name, file, frame.f_lineno))
        frame = frame.f_back
    return found


def _matches(rule, what, frames):
    if what not in rule.get("what", [what]):
        return False
    function, file = rule.get("function"), rule.get("file")
    if function and all(name != function for name, _, _ in frames):
        return False
    return not file or any(path.endswith(file) for path in _innermost(frames))


def _innermost(frames):
    for _, path, _ in frames:
        yield path
        if _TORCH not in path:
            return


class Reads:
    """One for a process. What steers a read is looked up once for each place that reads."""

    def __init__(self, rules):
        self._rules = rules
        self._decided = {}
        self._unsteered = {}
        self._lock = threading.Lock()

    def decide(self, what, may_size):
        """"ones", "zeros" or "real"."""
        frames = _frames()
        place = (what,) + tuple((path, line) for _, path, line in frames[:6])
        give = self._decided.get(place)
        if give is None:
            rule = next((rule for rule in self._rules if _matches(rule, what, frames)), None)
            give = self._decided[place] = rule["give"] if rule else "unsteered"
        if give == "unsteered" and may_size:
            self._note(what, frames)
        return "real" if give == "unsteered" else give

    def _note(self, what, frames):
        script = [frame for frame in frames if _TORCH not in frame[1]] or frames or [("", "?", 0)]
        key = (script[0][1], script[0][2], what)
        with self._lock:
            self._unsteered[key] = self._unsteered.get(key, 0) + 1

    def unsteered(self):
        with self._lock:
            return [{"file": file, "line": line, "what": what, "count": count}
                    for (file, line, what), count in sorted(self._unsteered.items())]


class HostBytes:
    """The stand-ins keep what small copies brought to the device, for as long as a tensor has the memory. Kernels that
    change a tensor in place do nothing there, but they count in its version: what they changed is forgotten before
    it is read."""

    def __init__(self, torch, stand_ins):
        self._plain = (torch.Tensor, torch.nn.Parameter)
        self._stand_ins = stand_ins

    def _storage(self, tensor):
        """(storage, version): of one that has bytes and was changed in place, else None."""
        try:
            if type(tensor) in self._plain and tensor.is_cuda and tensor._version:
                return tensor.untyped_storage(), tensor._version
        except (RuntimeError, NotImplementedError):
            pass  # fake tensors have no storage, those of inference no version
        return None

    def refresh(self, tensor):
        known = self._storage(tensor)
        if known and getattr(known[0], "highwater_version", None) != known[1]:
            address, count = known[0].data_ptr(), known[0].nbytes()
            self._stand_ins.highwaterForgetBytes(ctypes.c_void_p(address), ctypes.c_size_t(count))
            self.keep(tensor)

    def keep(self, tensor):
        """Its bytes are as they ought to be, with all changes so far."""
        known = self._storage(tensor)
        if known:
            known[0].highwater_version = known[1]

    def is_copied(self, to, source):
        """By a copy of bytes, without a kernel that would convert or move them."""
        return to.is_contiguous() and (
            not source.is_cuda or (to.dtype == source.dtype and source.is_contiguous()))


def _wrap_copies(torch, host_bytes):
    tensor_class = torch.Tensor
    real_copy, real_clone = tensor_class.copy_, tensor_class.clone

    def copy_(self, source, *arguments, **keywords):
        host_bytes.refresh(self)
        if isinstance(source, torch.Tensor):
            host_bytes.refresh(source)
        result = real_copy(self, source, *arguments, **keywords)
        if isinstance(source, torch.Tensor) and host_bytes.is_copied(self, source):
            host_bytes.keep(self)
        return result

    def clone(self, *arguments, **keywords):
        host_bytes.refresh(self)
        return real_clone(self, *arguments, **keywords)

    for name, wrapped, real in (("copy_", copy_, real_copy), ("clone", clone, real_clone)):
        wrapped.__name__, wrapped.__doc__ = name, real.__doc__
        setattr(tensor_class, name, wrapped)


def _is_whole(torch, tensor):
    return not tensor.dtype.is_floating_point and not tensor.dtype.is_complex


def _wrap_methods(torch, reads, host_bytes):
    tensor_class = torch.Tensor
    inside = threading.local()

    def steered(name, what, answer, may_size):
        real = getattr(tensor_class, name)

        def method(self, *arguments, **keywords):
            if not self.is_cuda or getattr(inside, "on", False):
                return real(self, *arguments, **keywords)
            give = reads.decide(what, may_size(self))
            host_bytes.refresh(self)
            inside.on = True
            try:
                if give == "real":
                    return real(self, *arguments, **keywords)
                return answer(self, give == "ones", *arguments, **keywords)
            finally:
                inside.on = False

        method.__name__ = name
        method.__doc__ = real.__doc__
        setattr(tensor_class, name, method)

    def filled(self, one):
        return (torch.ones if one else torch.zeros)(self.shape, dtype=self.dtype, device="cpu")

    def whole(self):
        return _is_whole(torch, self)

    def never(self):
        return False

    def always(self):
        return True

    steered("item", "item", lambda self, one: filled(self, one).item(), whole)
    steered("__bool__", "bool", lambda self, one: one, never)
    steered("__int__", "item", lambda self, one: int(one), whole)
    steered("__float__", "item", lambda self, one: float(one), never)
    steered("__index__", "item", lambda self, one: int(one), always)
    steered("tolist", "tolist", lambda self, one: filled(self, one).tolist(), whole)
    steered("cpu", "cpu", lambda self, one, *a, **k: filled(self, one), whole)
    steered("nonzero", "nonzero", lambda self, one, *a, **k: filled(self, one).nonzero(*a, **k).to(self.device), always)
    steered("unique", "unique", lambda self, one, *a, **k: filled(self, one).to(self.device), always)
    return filled


def _wrap_masks(torch, reads, filled):
    """t[mask] and t[mask] = …: how many elements there are is read back."""
    tensor_class = torch.Tensor
    real = tensor_class.__getitem__

    def mask_of(key):
        parts = key if isinstance(key, tuple) else (key,)
        return next((part for part in parts if isinstance(part, torch.Tensor) and part.is_cuda
                     and part.dtype in (torch.bool, torch.uint8)), None)

    def __getitem__(self, key):
        mask = mask_of(key) if self.is_cuda else None
        if mask is None:
            return real(self, key)
        give = reads.decide("mask", True)
        if give == "ones" and mask is key and mask.shape == self.shape[: mask.dim()]:
            return self.reshape(-1, *self.shape[mask.dim():]).clone()
        return real(self, key)

    tensor_class.__getitem__ = __getitem__
    real_set = tensor_class.__setitem__

    def __setitem__(self, key, value):
        try:
            real_set(self, key, value)
        except RuntimeError as error:
            # Of t[mask] = s[mask]: nothing computes the masks, which may count differently.
            if not self.is_cuda or mask_of(key) is None or not str(error).startswith("shape mismatch: value tensor"):
                raise
            reads.decide("mask", True)

    tensor_class.__setitem__ = __setitem__
    real_select = torch.masked_select

    def masked_select(tensor, mask, **keywords):
        if tensor.is_cuda and reads.decide("mask", True) == "ones":
            return tensor.expand(torch.broadcast_shapes(tensor.shape, mask.shape)).reshape(-1).clone()
        return real_select(tensor, mask, **keywords)

    torch.masked_select = masked_select


def _replace_function(torch, name, function):
    real = getattr(torch, name)
    function.__name__ = name
    function.__doc__ = real.__doc__
    operator = torch.jit._builtins._find_builtin(real)
    if operator:  # TorchScript compiles calls of it as before
        torch.jit._builtins._register_builtin(function, operator)
    setattr(torch, name, function)


def _pass_checks(torch, stand_ins):
    """torch.normal reads whether all deviations are valid where no rule sees it: they are."""
    real = torch.normal

    def normal(*arguments, **keywords):
        stand_ins.highwaterGiveOnes(1)
        try:
            return real(*arguments, **keywords)
        finally:
            stand_ins.highwaterGiveOnes(0)

    _replace_function(torch, "normal", normal)


def _watch_functions(torch, reads):
    """Functions whose result is as large as what the device counted; rules can only say that this is known."""

    def watched(name, decides):
        real = getattr(torch, name)

        def function(*arguments, **keywords):
            tensor = arguments[0] if arguments else keywords.get("input")
            if isinstance(tensor, torch.Tensor) and tensor.is_cuda and decides(arguments, keywords):
                reads.decide(name, True)
            return real(*arguments, **keywords)

        _replace_function(torch, name, function)

    for name in ("nonzero", "argwhere", "unique", "unique_consecutive", "bincount"):
        watched(name, lambda arguments, keywords: True)
    watched("where", lambda arguments, keywords: len(arguments) + len(keywords) == 1)
    watched("repeat_interleave", lambda arguments, keywords: "output_size" not in keywords
            and any(isinstance(value, torch.Tensor) and value.is_cuda for value in arguments[1:]))


def attach(torch, settings, stand_ins):
    reads = Reads(_both(settings, "RULES"))
    host_bytes = HostBytes(torch, stand_ins)
    _wrap_copies(torch, host_bytes)
    filled = _wrap_methods(torch, reads, host_bytes)
    _wrap_masks(torch, reads, filled)
    _watch_functions(torch, reads)
    _pass_checks(torch, stand_ins)
    return reads
