"""As in JAX: weights are a nested dict, torch.func.grad gives a tree of gradients, every update returns new weights and new state."""
import sys
import time

import torch
import torch.nn.functional as F
from torch.func import grad_and_value
from torch.utils._pytree import tree_map

hw = sys.modules.get("highwater_labels")


def dense(i, o):
    return {"kernel": torch.randn(i, o, device="cuda") * i**-0.5, "bias": torch.zeros(o, device="cuda")}


def init_params(d=768, n=4):
    return {"in": dense(300, d), "blocks": [{"up": dense(d, 2 * d), "down": dense(2 * d, d), "scale": torch.ones(d, device="cuda")} for _ in range(n)], "out": dense(d, 500)}


def apply_dense(p, x):
    return x @ p["kernel"] + p["bias"]


def model(params, x):
    h = apply_dense(params["in"], x)
    for b in params["blocks"]:
        u = F.layer_norm(h, h.shape[-1:]) * b["scale"]
        h = h + apply_dense(b["down"], F.gelu(apply_dense(b["up"], u)))
    return apply_dense(params["out"], h)


def loss_fn(params, x, y):
    return F.cross_entropy(model(params, x), y)


def adam_init(params):
    return {"mu": tree_map(torch.zeros_like, params), "nu": tree_map(torch.zeros_like, params)}


def adam_update(grads, state, params, lr=1e-3):
    mu = tree_map(lambda m, g: 0.9 * m + 0.1 * g, state["mu"], grads)
    nu = tree_map(lambda v, g: 0.99 * v + 0.01 * g * g, state["nu"], grads)
    new = tree_map(lambda p, m, v: p - lr * m / (v.sqrt() + 1e-8), params, mu, nu)
    return new, {"mu": mu, "nu": nu}


def train_step(params, opt_state, x, y):
    if hw:
        hw.phase("forward")
    grads, loss = grad_and_value(loss_fn)(params, x, y)
    time.sleep(0.02)  # autograd's thread drops its references now: recordings come out the same
    if hw:
        hw.mark(grads, "gradient")
        hw.phase("optimizer")
    params, opt_state = adam_update(grads, opt_state, params)
    if hw:
        hw.mark(params, "parameter")
        hw.mark(opt_state, "optimizer_state")
        hw.phase("between")
    return params, opt_state, loss


params = init_params()
opt_state = adam_init(params)
if hw:
    hw.mark(params, "parameter")
    hw.mark(opt_state, "optimizer_state")
for i in range(6):
    if hw:
        hw.step()
    params, opt_state, loss = train_step(params, opt_state, torch.randn(1024, 300, device="cuda"), torch.randint(500, (1024,), device="cuda"))
