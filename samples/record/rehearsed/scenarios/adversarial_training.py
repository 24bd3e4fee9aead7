"""Robust training: three steps of PGD on the input before each step of the weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def wide_block(i, o, s):
    return nn.Sequential(nn.BatchNorm2d(i), nn.ReLU(), nn.Conv2d(i, o, 3, s, 1), nn.BatchNorm2d(o), nn.ReLU(), nn.Conv2d(o, o, 3, 1, 1))


class WideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.Sequential(nn.Conv2d(3, 64, 3, 1, 1), wide_block(64, 320, 1), wide_block(320, 640, 2))
        self.f = nn.Linear(640, 10)

    def forward(self, x):
        return self.f(F.relu(self.b(x)).mean((2, 3)))


def attack(model, x, y, eps=8 / 255, alpha=2 / 255, iters=3):
    model.eval()
    delta = torch.zeros_like(x).uniform_(-eps, eps)
    for _ in range(iters):
        delta.requires_grad_(True)
        grad = torch.autograd.grad(F.cross_entropy(model(x + delta), y), delta)[0]
        delta = (delta.detach() + alpha * grad.sign()).clamp(-eps, eps)
    model.train()
    return (x + delta).clamp(0, 1)


def main():
    model = WideNet().cuda()
    sgd = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    for epoch in range(2):
        for _ in range(2):
            x, y = torch.rand(16, 3, 32, 32).cuda(), torch.randint(10, (16,)).cuda()
            loss = F.cross_entropy(model(attack(model, x, y)), y)
            sgd.zero_grad()
            loss.backward()
            sgd.step()


main()
