"""Writes beside a snapshot what each storage was, which steps the script made and in which phase it was: the truth that
categories, steps and phases are judged by. Hooks of PyTorch tell; no hook allocates on a device or keeps a tensor. For
DDP's buckets the allocator is asked, which leaves marks ("snapshot") in its trace.

The document, JSON; "allocations" and all bounds count the allocations of a device since its start, {"0": 1234}:
  allocations  how many there were when the snapshot beside it was written
  begins       how many there were when the history began
  labels       one entry for each storage: address, bytes, device, label, module, phase, step, and allocations: the block
               is that of the last allocation at the address up to this one
  steps        begin and end of each training step: an allocation n belongs to it if begin < n <= end; complete: an
               optimizer ran
  phases       the same for forward, backward, optimizer, evaluation, between and setup
  makers       [count, module]: what is allocated after the count, until the next entry, is made by the module: by its
               forward, or by the backward of a node of autograd that its forward made; "": by none

Labels: parameter (also buffers and copies that hold all or a part of a parameter: shards, replicas, gathered weights),
gradient (of parameters, also DDP's buckets), optimizer_state, activation (what autograd saves), input (what the
outermost module got), other. No entry: other. Of several labels the highest of RANK counts.

A step is a round of optimizers: it ends when the last of them is done. A script that knows better calls
`sys.modules.get("highwater_labels")`, and if that is there, its functions:
  mark(what, label)  a tensor, a module, or containers of them; overrules the hooks
  step()             a training step begins; the one before ended when its last optimizer was done
  phase(name)        until the next one begins; a manual optimizer calls phase("optimizer") and phase("between"),
                     a forward without modules phase("forward")
"""
import contextlib
import functools
import gc
import json
import threading
import weakref

RANK = {"other": 0, "input": 1, "activation": 2, "optimizer_state": 3, "gradient": 4, "parameter": 5}
_labels = None


def mark(what, label):
    _labels.add(what, label, marked=True)


def step():
    _labels.timeline.begin_step()


def phase(name):
    _labels.timeline.enter(name)


def _main_thread():
    return threading.current_thread() is threading.main_thread()


class Timeline:
    """Steps and phases by the main thread; autograd's threads are inside of its backward."""

    def __init__(self, torch):
        self._torch = torch
        self._phases = []  # (name, whether in evaluation mode, counts)
        self._declared = []  # counts where a step begins, optimizers that ran before
        self._optimizer_ends = []  # counts
        self._round_ends = []  # a new round begins when an optimizer steps again
        self._in_round = set()
        self._running = []
        self._outside = "between"  # the phase around the optimizer: backward, where a hook calls it
        self.history_begins = {}

    def counts(self):
        cuda = self._torch.cuda
        if not cuda.is_initialized():
            return {}
        return {str(device): self.count(device) for device in range(cuda.device_count())}

    def count(self, device):
        return self._torch.cuda.memory_stats_as_nested_dict(device).get("allocation", {}).get("all", {}).get("allocated", 0)

    @property
    def phase(self):
        return self._phases[-1][0] if self._phases else "setup"

    @property
    def step(self):
        return len(self._declared) - 1 if self._declared else len(self._round_ends)

    def enter(self, name, evaluating=False):
        if not _main_thread() or (self._phases and self._phases[-1][:2] == (name, False)):
            return
        if self.phase == "optimizer" and not self._running:
            self._optimizer_ended(None)
        self._phases.append((name, evaluating, self.counts()))

    def begin_step(self):
        self._declared.append((self.counts(), len(self._optimizer_ends)))

    def begin_optimizer(self, optimizer):
        if id(optimizer) in self._running:  # the one before ended by an exception
            self._running.clear()
        if not self._running:
            self._outside = "backward" if self.phase == "backward" else "between"
        self._running.append(id(optimizer))
        self._phases.append(("optimizer", False, self.counts()))

    def end_optimizer(self, optimizer):
        if id(optimizer) in self._running:
            del self._running[self._running.index(id(optimizer)):]
        if not self._running:  # else called by another optimizer
            self._optimizer_ended(id(optimizer))
            self._phases.append((self._outside, False, self.counts()))

    def after_backward(self):
        self.enter("optimizer" if self._running else "between")

    def _optimizer_ended(self, optimizer):
        self._optimizer_ends.append(self.counts())
        if not self._round_ends or optimizer in self._in_round:
            self._round_ends.append(None)
            self._in_round = set()
        self._round_ends[-1] = self.counts()
        self._in_round.add(optimizer)

    def steps(self):
        if not self._declared:
            return [{"begin": begin, "end": end, "complete": True}
                    for begin, end in zip([{}] + self._round_ends, self._round_ends)]
        found = []
        ends = self._declared[1:] + [(self.counts(), len(self._optimizer_ends))]
        for (begin, before), (after, until) in zip(self._declared, ends):
            end = self._optimizer_ends[until - 1] if until > before else after
            found.append({"begin": begin, "end": end, "complete": until > before})
        return found

    def phases(self):
        """A forward of a model in evaluation mode is one, unless backward follows it."""
        found = []
        following = [name for name, _, _ in self._phases[1:]] + ["end"]
        ends = [counts for _, _, counts in self._phases[1:]] + [self.counts()]
        if self._phases:
            found.append({"phase": "setup", "begin": {}, "end": self._phases[0][2]})
        for (name, evaluating, begin), after, end in zip(self._phases, following, ends):
            name = "evaluation" if evaluating and after != "backward" else name
            if found[-1]["phase"] == name:
                found[-1]["end"] = end
            elif begin != end:
                found.append({"phase": name, "begin": begin, "end": end})
        return found


class Makers:
    """Which module's code allocates: its forward, or the backward of the nodes that its forward made."""

    def __init__(self, torch, counts):
        self._torch = torch
        self._counts = counts
        self.entries = []  # counts, module
        self.current = ""

    def enter(self, name):
        if name == self.current:
            return
        self.current = name
        counts = self._counts()
        if self.entries and self.entries[-1][0] == counts:
            self.entries.pop()
        self.entries.append((counts, name))

    def claim(self, values, name):
        """The nodes that made the tensors in `values`, as far as no module claimed them: modules inside do so first."""
        nodes = [tensor.grad_fn for tensor in self._tensors(values) if tensor.grad_fn is not None]
        while nodes:
            node = nodes.pop()
            if "highwater" in node.metadata:
                continue
            node.metadata["highwater"] = name
            node.register_prehook(lambda gradients: self.enter(name))
            nodes += [following for following, _ in node.next_functions if following is not None]

    def _tensors(self, value):
        if isinstance(value, self._torch.Tensor):
            return [value]
        if isinstance(value, dict):
            value = value.values()
        elif not isinstance(value, (list, tuple)):
            return []
        return [tensor for part in value for tensor in self._tensors(part)]


class Labels:
    """An entry for each storage."""

    def __init__(self, torch):
        self._torch = torch
        self._entries = []
        self._open = {}
        self._watched = {}
        self._passing = []
        self._local = threading.local()
        self.timeline = Timeline(torch)
        self.makers = Makers(torch, self.timeline.counts)

    @property
    def modules(self):
        """Those that run in this thread, outermost first: the name of each, and who allocated before."""
        if not hasattr(self._local, "modules"):
            self._local.modules = []
        return self._local.modules

    def add(self, value, label, marked=False):
        """A tensor, or what holds tensors."""
        if isinstance(value, self._torch.Tensor):
            for tensor in self._plain(value):
                self._add_tensor(tensor, label, marked)
        elif isinstance(value, self._torch.nn.Module):
            self.add(list(value.parameters()), label, marked)
            self.add(list(value.buffers()), label, marked)
        elif isinstance(value, dict):
            self.add(list(value.values()), label, marked)
        elif isinstance(value, (list, tuple)):
            for part in value:
                self.add(part, label, marked)

    def _plain(self, tensor):
        """Of a DTensor the local part; of a sparse tensor indices and values."""
        if hasattr(type(tensor), "__tensor_flatten__"):
            parts = [getattr(tensor, name) for name in tensor.__tensor_flatten__()[0]]
            return [plain for part in parts if isinstance(part, self._torch.Tensor) for plain in self._plain(part)]
        if tensor.layout == self._torch.sparse_coo:
            return [tensor._indices(), tensor._values()]
        return [tensor] if tensor.layout == self._torch.strided else []

    def _add_tensor(self, tensor, label, marked):
        if not tensor.is_cuda:
            return
        try:
            storage = tensor.untyped_storage()
            address = storage.data_ptr()
        except (RuntimeError, NotImplementedError):
            return  # fake tensors have none
        if not address:
            return
        key = tensor.device.index, address
        known = self._open.get(key)
        if known is None or known["storage"]() is None or known["bytes"] != storage.nbytes():
            known = self._entry(tensor.device.index, address, storage.nbytes(), label)
            self._open[key] = known
        elif not marked and (known["marked"] or RANK[known["label"]] >= RANK[label]):
            return
        known.update(label=label, marked=marked, storage=weakref.ref(storage))

    def _entry(self, device, address, size, label):
        entry = {"address": address, "bytes": size, "device": device, "label": label, "step": self.timeline.step,
                 "phase": self.timeline.phase, "module": self.modules[-1][0] if self.modules else None,
                 "allocations": self.timeline.count(device)}
        self._entries.append(entry)
        return entry

    def forget(self, storage):
        """Its memory is given back or exchanged, the storage stays."""
        if storage.is_cuda:
            self._open.pop((storage.device.index, storage.data_ptr()), None)

    def _blocks(self):
        return {(segment["device"], block["address"]): block.get("requested_size", block["size"])
                for segment in self._torch.cuda.memory_snapshot() for block in segment["blocks"]
                if block["state"] == "active_allocated"}

    def add_new_blocks(self, make, label):
        """What `make` allocates and keeps where Python cannot see it."""
        before = self._blocks()
        made = make()
        for (device, address), size in self._blocks().items():
            if before.get((device, address)) != size:
                self._entry(device, address, size, label)
        return made

    def add_gradient(self, parameter):
        if parameter.grad is not None:
            self.add(parameter.grad, "gradient")

    def watch(self, parameter):
        """Its gradient is labelled as soon as it is accumulated."""
        known = self._watched.get(id(parameter))
        if known is not None and known() is parameter:
            return
        if parameter.is_leaf and parameter.requires_grad and parameter.is_cuda:
            self._watched[id(parameter)] = weakref.ref(parameter)
            _register_gradient_hook(parameter, self._accumulated)

    def _accumulated(self, parameter):
        self.add_gradient(parameter)
        gradient = parameter.grad
        if type(gradient) is self._torch.Tensor and gradient.layout == self._torch.strided:
            entry = self._open.get((gradient.device.index, gradient.untyped_storage().data_ptr()))
            self._passing.append((entry, weakref.ref(parameter)))

    def _forget_passing(self):
        """Gradients that DDP moved to its bucket, of which parameter.grad is a view: no gradients by themselves."""
        for entry, reference in self._passing:
            parameter = reference()
            moved = entry and entry["storage"]() is None and parameter is not None and parameter.grad is not None
            if moved and not entry["marked"]:
                entry["label"] = "other"
        self._passing.clear()

    def add_gradients(self):
        self._forget_passing()
        for reference in list(self._watched.values()):
            parameter = reference()
            if parameter is not None:
                self.add_gradient(parameter)

    def add_optimizer(self, optimizer):
        for group in optimizer.param_groups:
            self.add([value for name, value in group.items() if name != "params"], "optimizer_state")
        self.add(dict(optimizer.state), "optimizer_state")
        self.add([value for name, value in vars(optimizer).items() if name not in ("param_groups", "state", "defaults")],
                 "optimizer_state")

    def add_all_objects(self):
        """Modules and optimizers that live now, whether they ran or not."""
        objects = gc.get_objects()
        for thing in objects:
            if issubclass(type(thing), self._torch.nn.Module) and "_parameters" in vars(thing):
                self.add([thing._parameters, thing._buffers], "parameter")
                for parameter in thing._parameters.values():
                    if parameter is not None and parameter.is_leaf:
                        self.add_gradient(parameter)
        for thing in objects:
            if issubclass(type(thing), self._torch.optim.Optimizer) and "state" in vars(thing):
                self.add_optimizer(thing)

    def write(self, path):
        self.add_all_objects()
        hidden = ("storage", "marked")
        document = {"allocations": self.timeline.counts(), "begins": self.timeline.history_begins,
                    "steps": self.timeline.steps(), "phases": self.timeline.phases(), "makers": self.makers.entries,
                    "labels": [{key: value for key, value in entry.items() if key not in hidden} for entry in self._entries]}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)


_register_gradient_hook = None


def _around(owner, name, run):
    """`run` is called with the real function first."""
    real = getattr(owner, name)

    @functools.wraps(real)
    def wrapped(*arguments, **keywords):
        return run(real, *arguments, **keywords)

    setattr(owner, name, wrapped)


def _hook_optimizer(torch, labels):
    from torch.optim import optimizer

    def before(self, arguments, keywords):
        labels.timeline.begin_optimizer(self)
        for group in self.param_groups:
            for parameter in group["params"]:
                labels.add(parameter, "parameter")
                labels.watch(parameter)
                labels.add_gradient(parameter)

    def after(self, arguments, keywords):
        labels.add_optimizer(self)
        labels.timeline.end_optimizer(self)

    optimizer.register_optimizer_step_pre_hook(before)
    optimizer.register_optimizer_step_post_hook(after)


def _hook_modules(torch, labels):
    hooks = torch.nn.modules.module
    names = weakref.WeakKeyDictionary()

    def name_of(module):
        if module not in names:
            for name, part in module.named_modules():
                names.setdefault(part, name or type(part).__name__)
        return names[module]

    def begin(module, arguments):
        if not torch.is_grad_enabled():
            labels.timeline.enter("evaluation")
        else:
            labels.timeline.enter("forward", evaluating=not module.training)
        for parameter in module.parameters():
            if parameter.is_leaf:
                labels.add(parameter, "parameter")
                labels.watch(parameter)
        for value in arguments:
            labels.add(value, "input")

    def before(module, arguments):
        if torch.compiler.is_compiling():  # the tracer takes this for a part of the model; the module around it is known
            return
        if not labels.modules and labels.timeline.phase != "backward":
            begin(module, arguments)
        labels.modules.append((name_of(module), labels.makers.current))
        labels.makers.enter(name_of(module))
        labels.add([module._buffers, getattr(module, "_former_parameters", None)], "parameter")
        for parameter in module._parameters.values():
            if parameter is not None and parameter.is_leaf:  # else put in place by functional_call
                labels.add(parameter, "parameter")
                labels.watch(parameter)

    def after(module, arguments, output):
        if not torch.compiler.is_compiling() and labels.modules:
            name, maker = labels.modules.pop()
            labels.makers.claim(output, name)
            labels.makers.enter(maker)

    hooks.register_module_forward_pre_hook(before)
    hooks.register_module_forward_hook(after, always_call=True)
    hooks.register_module_parameter_registration_hook(lambda module, name, value: labels.add(value, "parameter"))
    hooks.register_module_buffer_registration_hook(lambda module, name, value: labels.add(value, "parameter"))

    def apply(real, module, *arguments, **keywords):
        moved = real(module, *arguments, **keywords)
        labels.add([module._parameters, module._buffers], "parameter")
        return moved

    def copied(real, module, state):
        real(module, state)
        labels.add([module._parameters, module._buffers], "parameter")

    def loaded(real, module, state, *arguments, **keywords):
        labels.add(dict(state), "parameter")
        return real(module, state, *arguments, **keywords)

    _around(torch.nn.Module, "_apply", apply)
    _around(torch.nn.Module, "__setstate__", copied)  # by copy and pickle
    _around(torch.nn.Module, "load_state_dict", loaded)


def _hook_autograd(torch, labels):
    def pack(tensor):
        labels.add(tensor, "activation")
        return tensor.detach()  # the tensor itself would hold its graph in a cycle

    hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor)
    hooks.__enter__()
    transforms = []

    @contextlib.contextmanager
    def disable(real, message):
        """torch.func refuses to work while there are hooks."""
        if not transforms:
            hooks.__exit__()
        transforms.append(message)
        try:
            with real(message):
                yield
        finally:
            transforms.pop()
            if not transforms:
                hooks.__enter__()

    _around(torch.autograd.graph, "disable_saved_tensors_hooks", disable)

    def backward(real, *arguments, **keywords):
        labels.timeline.enter("backward")
        labels.makers.claim(arguments, "")
        maker = labels.makers.current
        try:
            return real(*arguments, **keywords)
        finally:
            labels.makers.enter(maker)
            labels.add_gradients()
            labels.timeline.after_backward()

    def grad(real, *arguments, **keywords):
        before = labels.timeline.phase
        labels.timeline.enter("backward")
        try:
            found = real(*arguments, **keywords)
        finally:
            labels.timeline.enter(before)
        if keywords.get("create_graph"):
            return found  # a part of the graph
        inputs = arguments[1] if len(arguments) > 1 else keywords.get("inputs", ())
        for tensor, gradient in zip([inputs] if isinstance(inputs, torch.Tensor) else inputs, found):
            if isinstance(tensor, torch.nn.Parameter):
                labels.add(gradient, "gradient")
        return found

    _around(torch.autograd, "backward", backward)
    _around(torch.autograd, "grad", grad)

    def register(real, tensor, hook):
        labels.watch(tensor)  # the script's hook may free the gradient
        return real(tensor, hook)

    global _register_gradient_hook
    _register_gradient_hook = torch.Tensor.register_post_accumulate_grad_hook
    _around(torch.Tensor, "register_post_accumulate_grad_hook", register)


def _hook_storages(torch, labels):
    def resize(real, storage, *arguments, **keywords):
        labels.forget(storage)
        return real(storage, *arguments, **keywords)

    _around(torch.UntypedStorage, "resize_", resize)


def _hook_history(torch, labels):
    def record(real, enabled="all", *arguments, **keywords):
        if enabled is not None:
            labels.timeline.history_begins = labels.timeline.counts()
        return real(enabled, *arguments, **keywords)

    def dump(real, filename="dump_snapshot.pickle", *arguments, **keywords):
        labels.write(f"{filename}.labels.json")
        return real(filename, *arguments, **keywords)

    _around(torch.cuda.memory, "_record_memory_history", record)
    _around(torch.cuda.memory, "_dump_snapshot", dump)


def _hook_distributed(torch, labels, when_imported):
    """Buckets of DDP, gathered weights of FSDP and of fully_shard."""

    def make_buckets(real, *arguments, **keywords):
        return labels.add_new_blocks(lambda: real(*arguments, **keywords), "gradient")

    def unshard_flat(real, handle):
        result = real(handle)
        labels.add(handle.flat_param, "parameter")
        labels.watch(handle.flat_param)
        return result

    def unshard(real, shard):
        result = real(shard)
        labels.add([shard._unsharded_param, list(shard.all_gather_outputs)], "parameter")
        labels.watch(shard._unsharded_param)
        return result

    def gather(real, group, *arguments, **keywords):
        done = real(group, *arguments, **keywords)
        gathered = getattr(group, "_all_gather_result", None)
        labels.add(getattr(gathered, "all_gather_output", None), "parameter")
        return done

    if torch.distributed.is_available():
        _around(torch.distributed.Reducer, "__init__", make_buckets)
        _around(torch.distributed.Reducer, "_rebuild_buckets", make_buckets)
    when_imported("torch.distributed.fsdp._flat_param", "FlatParamHandle.unshard", unshard_flat)
    when_imported("torch.distributed.fsdp._fully_shard._fsdp_param", "FSDPParam.to_unsharded", unshard)
    when_imported("torch.distributed.fsdp._fully_shard._fsdp_param_group", "FSDPParamGroup.unshard", gather)


def attach(torch, when_imported):
    global _labels
    _labels = Labels(torch)
    _hook_optimizer(torch, _labels)
    _hook_autograd(torch, _labels)
    _hook_modules(torch, _labels)
    _hook_storages(torch, _labels)
    _hook_history(torch, _labels)
    _hook_distributed(torch, _labels, when_imported)
    return _labels
