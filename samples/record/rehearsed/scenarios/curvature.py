"""Hessian traces and the largest eigenvalue by products with the Hessian (double backward), between steps of a training."""
import sys
import time

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


def make_net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(1, 32, 3), nn.Softplus(), nn.Conv2d(32, 64, 3, 2), nn.Softplus(), nn.Flatten(), nn.Linear(64 * 12 * 12, 512), nn.Softplus(),
                         nn.Linear(512, 10)).cuda()


def group_product(xs, ys):
    return sum(torch.sum(x * y) for x, y in zip(xs, ys))


def normalization(v):
    s = group_product(v, v) ** 0.5
    return [vi / (s + 1e-6) for vi in v]


class Hessian:
    def __init__(self, net, x, y):
        self.params = [p for p in net.parameters() if p.requires_grad]
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward(create_graph=True)
        self.gradsH = [0.0 if p.grad is None else p.grad + 0.0 for p in self.params]

    def product(self, v):
        hv = torch.autograd.grad(self.gradsH, self.params, grad_outputs=v, only_inputs=True, retain_graph=True)
        if hw:
            hw.mark(hv, "other")
        time.sleep(0.02)  # autograd's thread drops its references now: recordings come out the same
        return hv

    def top(self, iters=3):
        v = normalization([torch.randn_like(p) for p in self.params])
        for _ in range(iters):
            hv = self.product(v)
            v = normalization(hv)
            del hv
        return v

    def trace(self, n=3):
        out = []
        for _ in range(n):
            v = [torch.randint_like(p, high=2) * 2 - 1 for p in self.params]
            hv = self.product(v)
            out.append(group_product(hv, v).item())
            del hv, v
        return sum(out) / n


net = make_net()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(2):
    for _ in range(3):
        x, y = torch.rand(256, 1, 28, 28, device="cuda"), torch.randint(0, 10, (256,), device="cuda")
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
    opt.zero_grad()
    h = Hessian(net, x, y)
    h.top(), h.trace()
    for p in net.parameters():
        p.grad = None
    del h
