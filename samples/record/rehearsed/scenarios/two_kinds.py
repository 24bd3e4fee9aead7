"""Energy model and sampler trained in turn: SGD with momentum for the one, Adam for the other, about as many weights each; Langevin steps by autograd.grad."""
import time

import torch
from torch import nn


def mlp(i, o, h=1536):
    return nn.Sequential(nn.Linear(i, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, o))


energy, sampler = mlp(784, 1).cuda(), mlp(64, 784).cuda()
oe = torch.optim.SGD(energy.parameters(), 1e-3, momentum=0.9)
os_ = torch.optim.Adam(sampler.parameters(), 1e-4)


def langevin(x, n=3):
    for _ in range(n):
        x = x.detach().requires_grad_()
        g, = torch.autograd.grad(energy(x).sum(), x)
        time.sleep(0.02)  # autograd's thread drops its references now: recordings come out the same
        x = x - 0.1 * g + 0.01 * torch.randn_like(x)
    return x.detach()


for it in range(5):
    data = torch.rand(512, 784, device="cuda")
    z = torch.randn(512, 64, device="cuda")
    neg = langevin(sampler(z))
    oe.zero_grad()
    (energy(data).mean() - energy(neg).mean()).backward()
    oe.step()
    os_.zero_grad()
    (sampler(z) - neg).square().mean().backward()
    os_.step()
