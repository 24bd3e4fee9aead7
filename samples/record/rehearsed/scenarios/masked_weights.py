"""Pruning with masks (torch.nn.utils.prune: weight_orig, weight_mask, weight), weight norm by parametrisation and a head with fake quantisation."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parametrizations, prune


class FakeQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, bits):
        s = w.abs().amax(1, keepdim=True) / (2 ** (bits - 1) - 1)
        return (w / s).round().clamp(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) * s

    @staticmethod
    def backward(ctx, g):
        return g, None


class QLinear(nn.Linear):
    def forward(self, x):
        return F.linear(x, FakeQuant.apply(self.weight, 4), self.bias)


class WaveBlock(nn.Module):
    def __init__(self, c, d):
        super().__init__()
        self.conv = parametrizations.weight_norm(nn.Conv1d(c, 2 * c, 3, padding=d, dilation=d))
        self.res = parametrizations.weight_norm(nn.Conv1d(c, c, 1))

    def forward(self, x):
        a, b = self.conv(x).chunk(2, 1)
        return x + self.res(torch.tanh(a) * torch.sigmoid(b))


class Net(nn.Module):
    def __init__(self, c=384):
        super().__init__()
        self.inp = nn.Conv1d(16, c, 1)
        self.blocks = nn.Sequential(*[WaveBlock(c, 2**i) for i in range(5)])
        self.mid = nn.Sequential(nn.Linear(c, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU())
        self.head = QLinear(2048, 512)

    def forward(self, x):
        return self.head(self.mid(self.blocks(self.inp(x)).mean(2)))


model = Net().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)


def epoch(n=3):
    for _ in range(n):
        x, y = torch.randn(16, 16, 1024, device="cuda"), torch.randint(512, (16,), device="cuda")
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


epoch()
for layer in (model.mid[0], model.mid[2], model.inp):
    prune.l1_unstructured(layer, name="weight", amount=0.5)
epoch()
