"""Mistakes in an otherwise clean loop: copies (checkpoint kept on the device, deepcopy, half copy), retained graph, an
evaluation with gradients, an evaluation whose outputs are kept."""
import copy
import sys

import torch
from torch import nn
from torch.nn import functional as F


class GRN(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w, self.gate = nn.Linear(d, 2 * d), nn.Linear(2 * d, 2 * d)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        return self.norm(x + F.glu(self.gate(F.elu(self.w(x))), -1))


class Forecast(nn.Module):
    def __init__(self, features=96, d=768, depth=4, horizon=96):
        super().__init__()
        self.inp = nn.Linear(features, d)
        self.body = nn.Sequential(*[GRN(d) for _ in range(depth)])
        self.out = nn.Linear(d, horizon)

    def forward(self, series):
        return self.out(self.body(self.inp(series)))


def batches(n):
    for _ in range(n):
        yield torch.randn(16, 168, 96, device="cuda"), torch.randn(16, 168, 96, device="cuda")


def training(net, opt, n, retain=False):
    running = 0.0
    for x, y in batches(n):
        loss = F.l1_loss(net(x), y)
        opt.zero_grad()
        loss.backward(retain_graph=retain)
        opt.step()
        running = running + loss if retain else running + loss.item()
    return running


def copies():
    torch.save(Forecast().state_dict(), "weights.pt")
    checkpoint = torch.load("weights.pt", map_location="cuda")
    net = Forecast().cuda()
    net.load_state_dict(checkpoint)
    best = copy.deepcopy(net)
    half = copy.deepcopy(net).bfloat16()
    training(net, torch.optim.Adam(net.parameters()), 4)
    return best, half


def evaluation(keep_graph):
    net = Forecast().cuda()
    opt = torch.optim.Adam(net.parameters())
    for _ in range(2):
        training(net, opt, 2)
        net.eval()
        if keep_graph:
            total = sum(F.l1_loss(net(x), y) for x, y in batches(4))
        else:
            with torch.no_grad():
                outputs = [net(x) for x, y in batches(6)]
        net.train()


def retained():
    net = Forecast().cuda()
    training(net, torch.optim.Adam(net.parameters()), 4, retain=True)


{"copies": copies, "retain": retained, "eval_grad": lambda: evaluation(True), "eval_keep": lambda: evaluation(False)}[sys.argv[1]]()
