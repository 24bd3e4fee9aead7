"""A small transformer; Adam as a function over a dict, an evaluation before every third step in the same loop."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


def adam(parameters, state, t, lr=3e-4):
    if hw:
        hw.phase("optimizer")
    with torch.no_grad():
        for name, p in parameters:
            if name not in state:
                state[name] = {"m": torch.zeros_like(p), "v": torch.zeros_like(p)}
                if hw:
                    hw.mark(state[name], "optimizer_state")
            m, v = state[name]["m"], state[name]["v"]
            m.lerp_(p.grad, 0.1)
            v.mul_(0.95).addcmul_(p.grad, p.grad, value=0.05)
            p -= lr * (m / (1 - 0.9 ** t)) / ((v / (1 - 0.95 ** t)).sqrt() + 1e-8)
            p.grad = None
    if hw:
        hw.phase("between")


def batch():
    return torch.randn(15, 60, 256).cuda(), torch.randint(0, 96, (15, 60)).cuda()


@torch.no_grad()
def estimate(model):
    x, y = batch()
    return nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())


layer = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
model = nn.Sequential(nn.TransformerEncoder(layer, 3, enable_nested_tensor=False), nn.Linear(256, 96)).cuda()
state = {}
for t in range(1, 8):
    if hw:
        hw.step()
    if t % 3 == 1:
        estimate(model)
    x, y = batch()
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
    loss.backward()
    adam(model.named_parameters(), state, t)
