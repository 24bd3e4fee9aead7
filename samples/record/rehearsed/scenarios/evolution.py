"""Evolution strategies: no backward at all, antithetic noise is drawn for a flat vector of weights, a population is evaluated with vmap."""
import sys

import torch
from torch import nn
from torch.func import functional_call, vmap

hw = sys.modules.get("highwater_labels")
policy = nn.Sequential(nn.Linear(376, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 17)).cuda().requires_grad_(False)
shapes = {k: v.shape for k, v in policy.named_parameters()}
theta = nn.utils.parameters_to_vector(policy.parameters())
m = torch.zeros_like(theta)
if hw:
    hw.mark(theta, "parameter")
    hw.mark(m, "optimizer_state")


def unflatten(vec):
    out, i = {}, 0
    for k, s in shapes.items():
        out[k] = vec[..., i:i + s.numel()].view(*vec.shape[:-1], *s)
        i += s.numel()
    return out


def fitness(vec, obs):
    return -functional_call(policy, unflatten(vec), (obs,)).square().mean()


for gen in range(5):
    if hw:
        hw.step()
    eps = torch.randn(24, theta.numel(), device="cuda")
    pop = torch.cat((theta + 0.02 * eps, theta - 0.02 * eps))
    obs = torch.randn(1024, 376, device="cuda")
    f = vmap(fitness, (0, None))(pop, obs)
    if hw:
        hw.phase("between")
    ranks = f.argsort().argsort().float() / 47 - 0.5
    if hw:
        hw.phase("optimizer")
    g = (ranks[:24] - ranks[24:]) @ eps / (48 * 0.02)
    m = 0.9 * m + 0.1 * g
    theta = theta + 0.01 * m
    if hw:
        hw.mark(theta, "parameter")
        hw.mark(m, "optimizer_state")
        hw.phase("between")
