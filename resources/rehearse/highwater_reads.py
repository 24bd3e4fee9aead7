"""Watches what a script reads back from the simulated GPU: rules say what it gets, and reads that may have decided a
size without a rule are kept for the verdict."""
import ctypes
import linecache
import os
import re
import runpy
import sys
import threading

_TORCH = os.sep + "torch" + os.sep
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
_MAX_FRAMES = 40
_LIBRARIES = ("transformers", "trl", "peft", "accelerate")


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
    if file and not any(path.endswith(file) for path in _innermost(frames)):
        return False
    return "line" not in rule or re.search(rule["line"], _line(frames)) is not None


def _line(frames):
    """The text of the innermost line outside of torch."""
    place = next(((path, line) for _, path, line in frames if _TORCH not in path), None)
    return linecache.getline(*place) if place else ""


def _listeners(frames):
    """Where a trainer reads, of those that live: callbacks and functions that are not its library's, and those that stop it by a
    value."""
    import highwater_rules

    if not any("trainer" in path for _, path, _ in frames):
        return []
    return [name for trainer in list(highwater_rules.TRAINERS) for name in _listeners_of(trainer)]


def _listeners_of(trainer):
    callbacks = [type(callback) for callback in getattr(trainer.callback_handler, "callbacks", [])]
    names = [callback.__name__ for callback in callbacks
             if callback.__module__.partition(".")[0] not in _LIBRARIES or callback.__name__ == "EarlyStoppingCallback"]
    names += ["compute_metrics"] if getattr(trainer, "compute_metrics", None) else []
    rewards = getattr(trainer, "reward_funcs", None) or []
    return names + [reward.__name__ for reward in rewards if hasattr(reward, "__code__")]


def _innermost(frames):
    for _, path, _ in frames:
        yield path
        if _TORCH not in path:
            return


class Reads:
    """One for a process. What steers a read is looked up once for each place that reads. Where no rule does, a read gives 0,
    or another value in the run that is made to see whether values decide sizes."""

    def __init__(self, torch, rules, value):
        self._torch = torch
        self._integers = (torch.int64, torch.int32, torch.int16, torch.uint8)
        self._rules = rules
        self.value = value
        self._decided = {}
        self._rounds = {}
        self._filled = 0
        self._turns = {}
        self._listeners = set()
        self._unsteered = {}
        self._lock = threading.Lock()
        self.now = threading.local()  # of this thread: `give` while a read is under way, `dtype` of what is read

    def decide(self, what):
        """"ones", "zeros", "real", or "fill": no rule knows this place, and it gets what this run fills in."""
        frames = _frames()
        place = (what,) + tuple((path, line) for _, path, line in frames[:6])
        give = self._decided.get(place)
        if give is None:
            rule = next((rule for rule in self._rules if _matches(rule, what, frames)), None)
            give = self._decided[place] = rule["give"] if rule else "unsteered"
            self._listeners.update(_listeners(frames))
        if give == "twice":
            self._rounds[place] = self._rounds.get(place, 0) + 1
            return "zeros" if self._rounds[place] % 3 == 0 else "ones"
        if give != "unsteered":
            return give
        self._note(what, frames)
        self.now.place = place
        return "fill" if self.value else "real"

    def values(self, count, dtype):
        """What is filled in, a tensor of the host: of a large value this one and those above it, each another one, as computed
        values are."""
        torch = self._torch
        if self.value == 1 or dtype == torch.bool:
            return torch.ones(count, dtype=dtype)
        if count == 1:
            return torch.tensor([self._next_single(dtype)]).to(dtype)
        base, span = (self.value, _SPAN) if dtype.itemsize > 1 else (50, 50)
        begin, self._filled = self._filled, (self._filled + count) % _SPAN
        return ((torch.arange(count) + begin) % span + base).to(dtype)

    def _next_single(self, dtype):
        """A value that is read alone is often compared with those before it: each place gets a new largest one and a new
        smallest one in turn, and no two places the same. Fractions of one are among those that may be fractions."""
        place = getattr(self.now, "place", None)
        turn, number = self._turns.setdefault(place, [0, len(self._turns)])
        self._turns[place][0] += 1
        half, shift = turn // 2 + 1, number % 17
        if dtype.itemsize == 1:
            return 100 + (half if turn % 2 == 0 else -half)
        if dtype.is_floating_point:
            return 600 + min(5 * half, 80) - 1.5 * shift if turn % 2 == 0 else (0.6 - 0.01 * shift) / half
        if turn % 2 == 0:
            return 3 * self.value + 500 + 10 * half - shift
        return self.value + 500 - min(10 * half, 480) - shift

    def _note(self, what, frames):
        script = [frame for frame in frames if _TORCH not in frame[1]] or frames or [("", self._backward(), 0)]
        key = (script[0][1], script[0][2], what)
        with self._lock:
            self._unsteered[key] = self._unsteered.get(key, 0) + 1

    def _backward(self):
        """PyTorch runs the backward pass in threads without a frame of Python, but knows of which operator it is."""
        node = getattr(self._torch._C, "_current_autograd_node", lambda: None)()
        return f"the backward pass ({node.name()})" if node is not None else "a thread of PyTorch"

    def listeners(self):
        """Functions of the user's that a trainer hands what it has read."""
        with self._lock:
            return sorted(self._listeners)

    def unsteered(self):
        with self._lock:
            return [{"file": file, "line": line, "what": what, "count": count}
                    for (file, line, what), count in sorted(self._unsteered.items())]

    def observe_copies(self, stand_ins):
        """Whatever reads ends in a copy to the host: those that no method or function above it has decided are seen here."""

        def observe(to, count):
            give = getattr(self.now, "give", None)
            if give is None:
                give = self.decide("copy")
            if isinstance(give, int):
                ctypes.memmove(to, give.to_bytes(8, "little"), min(count, 8))
            elif give == "fill":
                # Where the type is unknown: integers as wide as the count allows.
                dtype = getattr(self.now, "dtype", None) or next(wide for wide in self._integers if count % wide.itemsize == 0)
                with Deciding(self, "real"):
                    filled = self.values(count // dtype.itemsize, dtype)
                ctypes.memmove(to, filled.data_ptr(), filled.nbytes)

        self._observer = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)(observe)
        stand_ins.highwaterObserveReads(self._observer)


_SPAN = 1000


def _span(tensor):
    """Elements from the first to the last one in memory."""
    return 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride())) if tensor.numel() else 0


class HostBytes:
    """The stand-ins keep what small copies brought to the device, for as long as a tensor has the memory. Kernels that
    change a tensor in place do nothing there, but they count in its version: what they changed is forgotten before
    it is read."""

    def __init__(self, torch, stand_ins):
        self._plain = (torch.Tensor, torch.nn.Parameter)
        self._mask_types = (torch.bool, torch.uint8)
        self._strided = torch.strided
        self._real_cpu = torch.Tensor.cpu
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

    def knows(self, tensor):
        """Its bytes, with those between them, came from the host, or follow from what came from there."""
        try:
            if type(tensor) not in self._plain or not tensor.is_cuda or tensor.layout is not self._strided:
                return False
            self.refresh(tensor)
            count = _span(tensor) * tensor.itemsize
            return bool(self._stand_ins.highwaterKnowsBytes(ctypes.c_void_p(tensor.data_ptr()), ctypes.c_size_t(count)))
        except (RuntimeError, NotImplementedError):
            return False  # fake tensors have no bytes

    def on_host(self, tensor):
        """A copy of what is known, or what is there already; None: nobody knows."""
        if not tensor.is_cuda:
            return tensor
        if not self.knows(tensor):
            return None
        flat = tensor.detach().as_strided((_span(tensor),), (1,), tensor.storage_offset())
        return self._real_cpu(flat).as_strided(tensor.shape, tensor.stride(), 0)

    def true_count(self, mask):
        """How many elements a mask selects whose bytes came from the host; None: nobody knows."""
        on_host = self.on_host(mask) if mask.dtype in self._mask_types and mask.is_cuda else None
        return None if on_host is None else int(on_host.count_nonzero())

    def is_copied(self, to, source):
        """By a copy of bytes, without a kernel that would convert or move them."""
        return to.is_contiguous() and (
            not source.is_cuda or (to.dtype == source.dtype and source.is_contiguous()))


def _wrap_copies(torch, host_bytes, reads):
    tensor_class = torch.Tensor
    real_copy, real_clone = tensor_class.copy_, tensor_class.clone

    def copy_(self, source, *arguments, **keywords):
        host_bytes.refresh(self)
        if isinstance(source, torch.Tensor):
            host_bytes.refresh(source)
        with Deciding(reads, getattr(reads.now, "give", None), getattr(source, "dtype", None)):
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


class Deciding:
    """While it lasts, copies to the host are part of a read that was decided."""

    def __init__(self, reads, give, dtype=None):
        self._now, self._next = reads.now, (give, dtype)

    def __enter__(self):
        self._before = getattr(self._now, "give", None), getattr(self._now, "dtype", None)
        self._now.give, self._now.dtype = self._next

    def __exit__(self, *_):
        self._now.give, self._now.dtype = self._before


def _goes_to_host(torch, target):
    """`target` of tensor.to(target)."""
    if isinstance(target, str):
        return target.startswith("cpu")
    if isinstance(target, torch.Tensor):
        return not target.is_cuda
    return isinstance(target, torch.device) and target.type == "cpu"


def _wrap_methods(torch, reads, host_bytes):
    tensor_class = torch.Tensor

    def steered(name, what, answer):
        real = getattr(tensor_class, name)

        def method(self, *arguments, **keywords):
            if not self.is_cuda or getattr(reads.now, "give", None) is not None:
                return real(self, *arguments, **keywords)
            give = "real" if host_bytes.knows(self) else reads.decide(what)
            with Deciding(reads, give, self.dtype):
                if give == "real":
                    return real(self, *arguments, **keywords)
                value = {"zeros": 0, "ones": 1}.get(give)
                return answer(self, value, *arguments, **keywords)

        method.__name__ = name
        method.__doc__ = real.__doc__
        setattr(tensor_class, name, method)

    def typed(name, reads_back):
        """What copies to the host by itself: the type is known here, and changes in place are."""
        real = getattr(tensor_class, name, None)
        if real is None:
            return

        def method(self, *arguments, **keywords):
            if not self.is_cuda or not reads_back(arguments, keywords):
                return real(self, *arguments, **keywords)
            host_bytes.refresh(self)
            with Deciding(reads, None, self.dtype):
                return real(self, *arguments, **keywords)

        method.__name__ = name
        method.__doc__ = real.__doc__
        setattr(tensor_class, name, method)

    def filled(self, value):
        """With 0 or 1 everywhere; None: with what this run fills in."""
        if value is not None:
            return torch.full(self.shape, value, dtype=self.dtype, device="cpu")
        return reads.values(self.numel(), self.dtype).reshape(self.shape)

    steered("item", "item", lambda self, value: filled(self, value).item())
    steered("__bool__", "bool", lambda self, value: value != 0)
    steered("__int__", "item", lambda self, value: int(filled(self, value).item()))
    steered("__float__", "item", lambda self, value: float(filled(self, value).item()))
    steered("__index__", "item", lambda self, value: int(filled(self, value).item()))
    steered("tolist", "tolist", lambda self, value: filled(self, value).tolist())
    steered("cpu", "cpu", lambda self, value, *a, **k: filled(self, value))
    steered("nonzero", "nonzero", lambda self, value, *a, **k: filled(self, value).nonzero(*a, **k).to(self.device))
    steered("unique", "unique", lambda self, value, *a, **k: filled(self, value).to(self.device))
    typed("to", lambda arguments, keywords: _goes_to_host(torch, arguments[0] if arguments else keywords.get("device")))
    for name in ("numpy", "__array__"):
        typed(name, lambda arguments, keywords: True)


def _count_given(give, mask):
    """What the copy of the number of elements that a mask selects gives, where no rule has decided it: none, or all."""
    return mask.numel() if give == "fill" else "real"


def _stay_no_sequence(tensor_class, scalar):
    """A class with a __getitem__ in Python counts as a sequence, of which torch.tensor([scalar, …]) asks the length. PyTorch's
    own is none: the place of sq_item is emptied again, where it is found."""
    is_sequence = ctypes.pythonapi.PySequence_Check
    is_sequence.argtypes = [ctypes.py_object]
    header = object.__basicsize__ + ctypes.sizeof(ctypes.c_ssize_t)

    def empty(owner):
        methods = ctypes.c_void_p.from_address(id(owner) + header + 10 * ctypes.sizeof(ctypes.c_void_p))
        ctypes.c_void_p.from_address(methods.value + 3 * ctypes.sizeof(ctypes.c_void_p)).value = None

    class Probe:
        def __getitem__(self, _):
            return None

    if not is_sequence(Probe()) or not is_sequence(scalar):
        return
    empty(Probe)
    if is_sequence(Probe()):
        return
    owners = [tensor_class]
    for owner in owners:
        empty(owner)
        owners += type.__subclasses__(owner)


def _count_again(reads, tensor, count):
    """The backward pass counts the mask's elements once more, in a thread of its own."""
    node = tensor.grad_fn if isinstance(count, int) else None
    if node is None or not hasattr(node, "register_prehook"):
        return
    before = []

    def begin(gradients):
        before.append(getattr(reads.now, "give", None))
        reads.now.give = count

    def end(of_inputs, of_outputs):
        reads.now.give = before.pop() if before else None

    node.register_prehook(begin)
    node.register_hook(end)


def _wrap_masks(torch, reads, host_bytes):
    """t[mask] and t[mask] = …: how many elements there are is read back, unless the mask came from the host."""
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
        known = host_bytes.true_count(mask)
        give = "real" if known is not None else reads.decide("mask")
        if give == "ones" and mask is key and mask.shape == self.shape[: mask.dim()]:
            return self.reshape(-1, *self.shape[mask.dim():]).clone()
        count = _count_given(give, mask) if known is None else known
        with Deciding(reads, count):
            result = real(self, key)
        _count_again(reads, result, count)
        return result

    tensor_class.__getitem__ = __getitem__
    real_set = tensor_class.__setitem__

    def __setitem__(self, key, value):
        mask = mask_of(key) if self.is_cuda else None
        if mask is None:
            return real_set(self, key, value)
        known = host_bytes.true_count(mask)
        # Elements are counted only where several are assigned: one is filled in wherever the mask is.
        counts = isinstance(value, torch.Tensor) and value.numel() > 1
        if known is None and counts:
            known = _count_given(reads.decide("mask"), mask)
        try:
            with Deciding(reads, known):
                real_set(self, key, value)
            if counts:
                _count_again(reads, self, known)
        except RuntimeError as error:
            # Of t[mask] = s[mask]: nothing computes the masks, which may count differently.
            if not str(error).startswith("shape mismatch: value tensor"):
                raise

    tensor_class.__setitem__ = __setitem__
    _stay_no_sequence(tensor_class, torch.zeros(()))
    real_select = torch.masked_select

    def select(real):
        def masked_select(tensor, mask, **keywords):
            if not tensor.is_cuda or not isinstance(mask, torch.Tensor):
                return real(tensor, mask, **keywords)
            known = host_bytes.true_count(mask) if mask.shape == tensor.shape else None
            give = "real" if known is not None else reads.decide("mask")
            if give == "ones":
                return tensor.expand(torch.broadcast_shapes(tensor.shape, mask.shape)).reshape(-1).clone()
            with Deciding(reads, _count_given(give, mask) if known is None else known):
                return real(tensor, mask, **keywords)

        masked_select.__doc__ = real.__doc__
        return masked_select

    torch.masked_select = select(real_select)
    tensor_class.masked_select = select(tensor_class.masked_select)

    def scatter(real):
        """The backward pass selects by the mask what the forward pass only filled in."""
        def masked_scatter(tensor, mask, *arguments, **keywords):
            result = real(tensor, mask, *arguments, **keywords)
            if tensor.is_cuda and result.grad_fn is not None and mask.shape == tensor.shape:
                known = host_bytes.true_count(mask)
                if known is None:
                    give = reads.decide("mask")
                    known = mask.numel() if give in ("ones", "fill") else 0
                _count_again(reads, result, known)
            return result

        masked_scatter.__doc__ = real.__doc__
        return masked_scatter

    for owner, name in ((torch, "masked_scatter"), (tensor_class, "masked_scatter"), (tensor_class, "masked_scatter_")):
        if hasattr(owner, name):
            setattr(owner, name, scatter(getattr(owner, name)))


def attach(torch, settings, stand_ins):
    import highwater_functions
    import highwater_known

    reads = Reads(torch, _both(settings, "RULES"), settings.get("fill", 0))
    host_bytes = HostBytes(torch, stand_ins)
    _wrap_copies(torch, host_bytes, reads)
    _wrap_methods(torch, reads, host_bytes)
    _wrap_masks(torch, reads, host_bytes)
    highwater_known.attach(torch, reads, host_bytes, stand_ins, highwater_functions.replace_function)
    highwater_functions.watch_functions(torch, reads, host_bytes)
    highwater_functions.pass_checks(torch, reads, stand_ins)
    reads.observe_copies(stand_ins)
    return reads
