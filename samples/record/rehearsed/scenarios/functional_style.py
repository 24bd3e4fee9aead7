"""No nn.Module: weights in a dict, functional calls, gradients by torch.autograd.grad, Adam written as a function."""
import sys

import torch
import torch.nn.functional as F

hw = sys.modules.get("highwater_labels")


def init(sizes, device="cuda"):
    return {f"{k}{i}": torch.randn(*s, device=device).mul_(0.02).requires_grad_()
            for i, (a, b) in enumerate(zip(sizes, sizes[1:])) for k, s in (("w", (a, b)), ("b", (b,)))}


def apply(params, x):
    n = len(params) // 2
    for i in range(n):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        x = F.silu(x) if i < n - 1 else x
    return x


def adam(params, grads, state, lr=1e-3, b1=0.9, b2=0.999):
    state["t"] += 1
    with torch.no_grad():
        for k, g in grads.items():
            m, v = state["m"][k], state["v"][k]
            m.mul_(b1).add_(g, alpha=1 - b1)
            v.mul_(b2).addcmul_(g, g, value=1 - b2)
            params[k] -= lr * (m / (1 - b1 ** state["t"])) / ((v / (1 - b2 ** state["t"])).sqrt() + 1e-8)


params = init([784, 2048, 2048, 2048, 1000])
state = {"t": 0, "m": {k: torch.zeros_like(p) for k, p in params.items()}, "v": {k: torch.zeros_like(p) for k, p in params.items()}}
if hw:
    hw.mark(params, "parameter")
    hw.mark(state, "optimizer_state")
for _ in range(5):
    if hw:
        hw.step()
        hw.phase("forward")
    x, y = torch.randn(1024, 784, device="cuda"), torch.randint(1000, (1024,), device="cuda")
    loss = F.cross_entropy(apply(params, x), y)
    grads = dict(zip(params, torch.autograd.grad(loss, list(params.values()))))
    if hw:
        hw.mark(grads, "gradient")
        hw.phase("optimizer")
    adam(params, grads, state)
    if hw:
        hw.phase("between")
