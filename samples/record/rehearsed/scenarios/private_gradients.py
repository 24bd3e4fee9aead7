"""DP-SGD: gradients of each sample by vmap(grad), clipped, summed, noised and put in p.grad; two micro-batches a step."""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

hw = sys.modules.get("highwater_labels")


class Convnet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2, self.c3 = nn.Conv2d(3, 48, 3, 2, 1), nn.Conv2d(48, 96, 3, 2, 1), nn.Conv2d(96, 192, 3, 2, 1)
        self.g1, self.g2, self.g3 = nn.GroupNorm(8, 48), nn.GroupNorm(8, 96), nn.GroupNorm(8, 192)
        self.fc = nn.Linear(192 * 16, 100)

    def forward(self, x):
        for c, g in ((self.c1, self.g1), (self.c2, self.g2), (self.c3, self.g3)):
            x = F.relu(g(c(x)))
        return self.fc(x.flatten(1))


model = Convnet().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)


def compute_loss_stateless(params, sample, target):
    return F.cross_entropy(functional_call(model, params, (sample.unsqueeze(0),)), target.unsqueeze(0))


per_sample = vmap(grad(compute_loss_stateless), in_dims=(None, 0, 0))


def private_grads(batch, targets, C=1.0):
    params = {k: v.detach() for k, v in model.named_parameters()}
    gs = per_sample(params, batch, targets)
    time.sleep(0.02)  # autograd's thread drops its references now: recordings come out the same
    norms = torch.stack([g.flatten(1).norm(2, dim=1) for g in gs.values()]).norm(2, dim=0)
    factor = (C / (norms + 1e-6)).clamp(max=1.0)
    return {k: torch.einsum("i,i...->...", factor, g) for k, g in gs.items()}


for step in range(4):
    for micro in range(2):
        batch, targets = torch.rand(64, 3, 32, 32).cuda(), torch.randint(100, (64,)).cuda()
        if hw:
            hw.phase("forward")
        clipped = private_grads(batch, targets)
        if hw:
            hw.mark(clipped, "gradient")
            hw.phase("between")
        for n, p in model.named_parameters():
            if p.grad is None:
                p.grad = clipped[n]
            else:
                p.grad.add_(clipped[n])
        del clipped
    for p in model.parameters():
        p.grad += torch.randn_like(p.grad) * 0.8
        p.grad /= 128
    optimizer.step()
    optimizer.zero_grad()
