"""Changes of a script that may make it need less memory: each does to PyTorch what the author would write. A rehearsal
that tries some makes these, and all note whether the script has something for them to change."""
import functools
import importlib.util
import os
import sys
import threading
import weakref

_state = {"made": (), "note": None, "told": set()}
_inside = threading.local()  # modules that this thread is in, and whether one of them is checkpointed
_LARGE_LOGITS = 1 << 24  # elements
_CHUNKS = 16
_ALIKE = 3  # blocks that are worth checkpointing


def _made(name, how=""):
    """Notes that there is something to change, and how the author does it in this script, and says whether to."""
    line = f"{name}: {how}" if how else name
    if line not in _state["told"]:
        _state["told"].add(line)
        _state["note"](line)
    return name in _state["made"]


def prepare(made, note):
    """Before torch is imported: it reads the allocator's settings once."""
    _state.update(made=tuple(made), note=note)
    names = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
    variable = next((name for name in names if os.environ.get(name)), names[1])
    options = [option.strip() for option in os.environ.get(variable, "").split(",") if option.strip()]
    if "expandable_segments:true" not in [option.lower() for option in options] and _made("expandable-segments"):
        kept = [option for option in options if not option.startswith("expandable_segments")]
        os.environ[variable] = ",".join([*kept, "expandable_segments:True"])


def attach(torch):
    gradients = _clear_gradients(torch)
    _change_optimizers(torch)
    _chunk_losses(torch)
    _watch_calls(torch, gradients)


def _clear_gradients(torch):
    """After the step. There is something to change where gradients are still there when the next forward begins."""
    stepped = weakref.WeakSet()

    def parameters(optimizer):
        return (parameter for group in getattr(optimizer, "param_groups", []) for parameter in group["params"])

    def after(optimizer, arguments, keywords):
        if "zero-grad" in _state["made"]:
            optimizer.zero_grad(set_to_none=True)
        else:
            stepped.add(optimizer)

    def at_forward():
        if any(parameter.grad is not None for optimizer in list(stepped) for parameter in parameters(optimizer)):
            _made("zero-grad")
        stepped.clear()

    importlib.import_module("torch.optim.optimizer").register_optimizer_step_post_hook(after)
    return at_forward


def _change_optimizers(torch):
    adams = tuple(getattr(torch.optim, name) for name in ("Adam", "AdamW") if hasattr(torch.optim, name))
    real = torch.optim.Optimizer.__init__

    @functools.wraps(real)
    def __init__(self, *arguments, **keywords):
        real(self, *arguments, **keywords)
        if not isinstance(self, adams):
            return
        if importlib.util.find_spec("bitsandbytes"):
            _made("8-bit-adam")
        if not self.defaults.get("fused") and self.defaults.get("foreach") is not False and _made("fused-adam"):
            for settings in (self.defaults, *self.param_groups):
                settings.update(fused=True, foreach=False)

    torch.optim.Optimizer.__init__ = __init__
    if "8-bit-adam" in _state["made"] and importlib.util.find_spec("bitsandbytes"):
        for adam in adams:
            setattr(torch.optim, adam.__name__, _eight_bit(adam))


def _eight_bit(adam):
    """A class in place of PyTorch's that makes the optimizer of bitsandbytes."""

    def __new__(cls, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, **keywords):
        _made("8-bit-adam")
        make = getattr(importlib.import_module("bitsandbytes").optim, adam.__name__ + "8bit")
        return make(params, lr=lr, betas=betas, eps=eps, weight_decay=keywords.get("weight_decay", 0.0))

    return type(adam.__name__, (adam,), {"__new__": __new__})


def _chunk_losses(torch):
    functional = torch.nn.functional
    real = functional.cross_entropy

    @functools.wraps(real)
    def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                      label_smoothing=0.0):
        is_plain = weight is None and size_average is None and reduce is None and reduction in ("mean", "sum")
        if not (is_plain and input.dim() == 2 and target.dim() == 1 and input.is_cuda and input.requires_grad
                and input.numel() >= _LARGE_LOGITS and torch.is_grad_enabled() and _made("chunked-loss")):
            return real(input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing)

        def sum_of(logits, labels):
            return real(logits, labels, ignore_index=ignore_index, reduction="sum", label_smoothing=label_smoothing)

        checkpoint = importlib.import_module("torch.utils.checkpoint").checkpoint
        parts = zip(input.chunk(_CHUNKS), target.chunk(_CHUNKS))
        total = sum(checkpoint(sum_of, *part, use_reentrant=False) for part in parts)
        return total / (target != ignore_index).sum() if reduction == "mean" else total

    functional.cross_entropy = cross_entropy


def _watch_calls(torch, gradients):
    """Calls of modules; the outermost one tells how the whole model is used."""
    blocks, known = weakref.WeakSet(), weakref.WeakSet()
    checkpoint = importlib.import_module("torch.utils.checkpoint").checkpoint
    real = torch.nn.Module.__call__
    caches = _Caches()

    def look_at(model):
        if model.training:
            gradients()
        caches.see(model)
        if model in known or not model.training or not torch.is_grad_enabled():
            return
        known.add(model)
        caches.change(model)
        blocks.update(_repeated_blocks(torch, model, _checkpoint_by_method(model)))

    def evaluates(model):
        return not model.training and torch.is_grad_enabled() and any(p.requires_grad for p in model.parameters())

    def wraps():
        kinds = ", ".join(sorted({type(block).__name__ for block in blocks}))
        return f"call each block ({kinds}) by torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"

    @functools.wraps(real)
    def __call__(self, *arguments, **keywords):
        depth = getattr(_inside, "depth", 0)
        is_outermost = depth == 0 and threading.current_thread() is threading.main_thread()
        if is_outermost:
            look_at(self)
        _inside.depth = depth + 1
        try:
            if is_outermost and evaluates(self) and _made("no-grad"):
                with torch.no_grad():
                    return real(self, *arguments, **keywords)
            if self in blocks and self.training and torch.is_grad_enabled() \
                    and not getattr(_inside, "is_checkpointed", False) and _made("checkpointing", wraps()):
                return checkpoint(_as_checkpointed(real), self, *arguments, use_reentrant=False, **keywords)
            return real(self, *arguments, **keywords)
        finally:
            _inside.depth = depth

    torch.nn.Module.__call__ = __call__


class _Caches:
    """Models that keep a key-value cache in training, and copies of them, such as a reference model."""

    def __init__(self):
        self._seen, self._kinds = weakref.WeakSet(), set()

    def see(self, model):
        if model not in self._seen:
            self._seen.add(model)
            self._look_for_copies()

    def change(self, model):
        # A cache would be filled again where a checkpointed block runs a second time.
        if _keep_cache(model) and (_made("no-cache") or "checkpointing" in _state["made"]):
            _keep_cache(model, False)
        if "no-cache" in _state["told"]:
            self._kinds.add(type(model))
            self._look_for_copies()

    def _look_for_copies(self):
        for kind in self._kinds:
            alike = [model for model in self._seen if type(model) is kind]
            if len(alike) > 1 and _made("no-cache", "set model.config.use_cache = False before the model is copied"):
                for model in alike:
                    _keep_cache(model, False)


def _keep_cache(model, keep=None):
    """Whether a configuration of the model asks for a cache; `keep` sets that."""
    asking = [module.config for module in model.modules()
              if getattr(getattr(module, "config", None), "use_cache", False) is True]
    for config in asking if keep is not None else ():
        config.use_cache = keep
    return bool(asking)


_METHODS = ("enable_gradient_checkpointing", "gradient_checkpointing_enable", "activation_checkpointing_enable")


def _checkpoint_by_method(model):
    """Calls the method by which diffusers and transformers checkpoint their own blocks. Returns the ids of the modules
    that are checkpointed by it, or already were."""
    covered = set()
    for path, module in list(model.named_modules()):
        method = next((name for name in _METHODS if callable(getattr(module, name, None))), None)
        if id(module) in covered or not method or not any(p.requires_grad for p in module.parameters()):
            continue
        if not all(getattr(module, prefix + "supports_gradient_checkpointing", True) for prefix in ("", "_")):
            continue
        is_on = getattr(module, "is_gradient_checkpointing", False) is True
        if not is_on and _made("checkpointing", _how(model, path, method)):
            try:
                getattr(module, method)()
            except (ValueError, NotImplementedError):
                continue  # its blocks are wrapped
        covered.update(id(part) for part in module.modules())
    return covered


def _how(model, path, method):
    name = ".".join(filter(None, (_name_of(model), path)))
    caches = f" and set {name}.config.use_cache = False" if "no-cache" in _state["told"] else ""
    return f"call {name}.{method}(){caches}"


def _name_of(model):
    """The variable of the script that holds the model: the outermost one."""
    found, frame = "model", sys._getframe(1)
    while frame:
        if frame.f_code.co_filename != __file__:
            names = [name for name, value in list(frame.f_locals.items()) if value is model and name != "self"]
            found = names[0] if names else found
        frame = frame.f_back
    return found


def _as_checkpointed(real):
    """Calls of modules in it are as they would be without this, in the forward and when it runs again."""

    def call(*arguments, **keywords):
        before, _inside.is_checkpointed = getattr(_inside, "is_checkpointed", False), True
        try:
            return real(*arguments, **keywords)
        finally:
            _inside.is_checkpointed = before

    return call


def _repeated_blocks(torch, model, covered):
    """The outermost children of lists and sequences that have at least three of their kind, each made of modules.
    `covered` are ids of modules to leave out."""
    found, covered = [], set(covered)
    for container in model.modules():
        if id(container) in covered or not isinstance(container, (torch.nn.ModuleList, torch.nn.Sequential)):
            continue
        children = [child for child in container.children() if any(True for _ in child.children())]
        kinds = [type(child) for child in children]
        for child in children:
            if kinds.count(type(child)) >= _ALIKE:
                found.append(child)
                covered.update(id(module) for module in child.modules())
    return found
