"""Fine-tuning as in ULMFiT: one more group of layers is unfrozen every second step, the optimizer stays the same or is made anew."""
import sys

import torch
import torch.nn as nn

FRESH = "fresh" in sys.argv
hw = sys.modules.get("highwater_labels")


class ConvNeXtBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dw = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim)
        self.pw1, self.pw2 = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.gamma = nn.Parameter(1e-6 * torch.ones(dim))

    def forward(self, x):
        h = self.norm(self.dw(x).permute(0, 2, 3, 1))
        return x + (self.gamma * self.pw2(nn.functional.gelu(self.pw1(h)))).permute(0, 3, 1, 2)


def stage(i, o, n):
    return nn.Sequential(nn.Conv2d(i, o, 2, 2), *[ConvNeXtBlock(o) for _ in range(n)])


body = nn.ModuleList([nn.Conv2d(3, 96, 4, 4), stage(96, 192, 1), stage(192, 384, 2), stage(384, 768, 1)])
head = nn.Linear(768, 37)
learner = nn.ModuleDict({"body": body, "head": head}).cuda()


def freeze_to(n):
    for i, g in enumerate([*body, head]):
        for p in g.parameters():
            p.requires_grad_(i >= n)


def make_opt():
    return torch.optim.AdamW([p for p in learner.parameters() if p.requires_grad or not FRESH], lr=1e-3)


freeze_to(4)
opt = make_opt()
for it in range(8):
    if hw:
        hw.step()
    if it and it % 2 == 0:
        freeze_to(4 - it // 2)
        if FRESH:
            opt = make_opt()
    xb, yb = torch.rand(16, 3, 192, 192).cuda(), torch.randint(0, 37, (16,)).cuda()
    h = xb
    for g in body:
        h = g(h)
    loss = nn.functional.cross_entropy(head(h.mean((2, 3))), yb, label_smoothing=0.1)
    loss.backward()
    opt.step()
    opt.zero_grad()
