"""Writes beside a snapshot what each storage was: the truth that categories are judged by. Hooks of PyTorch name
parameters, gradients, optimizer state, activations (what autograd saves) and inputs of the outermost module."""
import atexit
import json
import weakref


class Labels:
    """An entry for each storage: the first label of the highest rank counts."""

    RANK = {"other": 0, "input": 1, "activation": 2, "gradient": 3, "optimizer_state": 4, "parameter": 5}

    def __init__(self, torch):
        self._torch = torch
        self._entries = []
        self._open = {}
        self.step = 0
        self.phase = "setup"
        self.modules = []

    def add(self, tensor, label):
        if not isinstance(tensor, self._torch.Tensor) or not tensor.is_cuda:
            return
        storage = tensor.untyped_storage()
        address = storage.data_ptr()
        if not address:
            return
        known = self._open.get(address)
        alive = known is not None and known["storage"]() is not None
        if alive and self.RANK[known["label"]] >= self.RANK[label]:
            return
        if not alive:
            known = {"address": address, "bytes": storage.nbytes(), "device": tensor.device.index,
                     "step": self.step, "phase": self.phase, "module": self.modules[-1] if self.modules else None,
                     "allocations": self._allocations(tensor.device)}
            self._entries.append(known)
            self._open[address] = known
        known["label"] = label
        known["storage"] = weakref.ref(storage)

    def _allocations(self, device):
        """How many allocations the device had so far: which of those at this address it is."""
        return self._torch.cuda.memory_stats(device).get("allocation.all.allocated", 0)

    def document(self):
        return {"labels": [{key: value for key, value in entry.items() if key != "storage"}
                           for entry in self._entries]}


def _hook_optimizer(torch, labels):
    from torch.optim import optimizer

    def before(self, arguments, keywords):
        labels.phase = "optimizer"
        for group in self.param_groups:
            for parameter in group["params"]:
                labels.add(parameter, "parameter")
                if parameter.grad is not None:
                    labels.add(parameter.grad, "gradient")

    def after(self, arguments, keywords):
        for state in self.state.values():
            for value in state.values() if isinstance(state, dict) else ():
                labels.add(value, "optimizer_state")
        labels.step += 1
        labels.phase = "between"

    optimizer.register_optimizer_step_pre_hook(before)
    optimizer.register_optimizer_step_post_hook(after)


def _hook_modules(torch, labels):
    names = weakref.WeakKeyDictionary()

    def name_of(module):
        if module not in names:
            for name, part in module.named_modules():
                names.setdefault(part, name or type(part).__name__)
        return names[module]

    def before(module, arguments):
        if not labels.modules:
            labels.phase = "forward"
            for parameter in module.parameters():
                labels.add(parameter, "parameter")
            for value in arguments:
                labels.add(value, "input")
        labels.modules.append(name_of(module))

    def after(module, arguments, output):
        if labels.modules:
            labels.modules.pop()

    torch.nn.modules.module.register_module_forward_pre_hook(before)
    torch.nn.modules.module.register_module_forward_hook(after, always_call=True)


def _hook_autograd(torch, labels):
    def pack(tensor):
        if not isinstance(tensor, torch.nn.Parameter):
            labels.add(tensor, "activation")
        return tensor

    torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor).__enter__()
    real = torch.Tensor.backward

    def backward(self, *arguments, **keywords):
        labels.phase = "backward"
        return real(self, *arguments, **keywords)

    torch.Tensor.backward = backward


def attach(torch, path_of):
    labels = Labels(torch)
    _hook_optimizer(torch, labels)
    _hook_modules(torch, labels)
    _hook_autograd(torch, labels)

    def write():
        if labels._entries:
            with open(path_of(), "w", encoding="utf-8") as file:
                json.dump(labels.document(), file)

    atexit.register(write)
