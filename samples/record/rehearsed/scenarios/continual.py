"""Elastic weight consolidation: three tasks in a row, after each a Fisher estimate and a copy of the weights in dicts, heads are added."""
import sys

import torch
from torch import nn
from torch.nn import functional as F

hw = sys.modules.get("highwater_labels")


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.feature = nn.Sequential(nn.Linear(3072, 1536), nn.ReLU(), nn.Linear(1536, 1024), nn.ReLU())
        self.heads = nn.ModuleList()

    def forward(self, x, t):
        return self.heads[t](self.feature(x.flatten(1)))


class EWC:
    def __init__(self, model, lam=400.0):
        self.model, self.lam, self.fisher, self.means = model, lam, {}, {}

    def estimate(self, batches, t):
        fisher = {n: torch.zeros_like(p) for n, p in self.model.feature.named_parameters()}
        self.model.eval()
        for x, y in batches:
            self.model.zero_grad()
            F.nll_loss(F.log_softmax(self.model(x, t), 1), y).backward()
            for n, p in self.model.feature.named_parameters():
                fisher[n] += p.grad.data ** 2 / len(batches)
        self.fisher[t] = fisher
        self.means[t] = {n: p.data.clone() for n, p in self.model.feature.named_parameters()}
        if hw:
            hw.mark(self.means[t], "parameter")
        self.model.zero_grad()
        self.model.train()

    def penalty(self):
        loss = 0
        for t in self.fisher:
            for n, p in self.model.feature.named_parameters():
                loss = loss + (self.fisher[t][n] * (p - self.means[t][n]) ** 2).sum()
        return self.lam * loss


def batches(n):
    return [(torch.rand(128, 3, 32, 32, device="cuda"), torch.randint(0, 10, (128,), device="cuda")) for _ in range(n)]


net = MultiHead().cuda()
ewc = EWC(net)
for task in range(3):
    net.heads.append(nn.Linear(1024, 10).cuda())
    optim = torch.optim.SGD(net.parameters(), lr=1e-2, momentum=0.9)
    for x, y in batches(4):
        if hw:
            hw.step()
        optim.zero_grad()
        loss = F.cross_entropy(net(x, task), y) + ewc.penalty()
        loss.backward()
        optim.step()
    ewc.estimate(batches(2), task)
