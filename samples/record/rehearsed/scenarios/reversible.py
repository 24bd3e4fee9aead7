"""A reversible network: backward works inputs out from outputs, so that only the last activations are kept."""
import torch
from torch import nn


class _Chain(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, blocks):
        with torch.no_grad():
            x1, x2 = x.chunk(2, 1)
            for f, g in blocks:
                x1 = x1 + f(x2)
                x2 = x2 + g(x1)
        ctx.y = torch.cat((x1, x2), 1).detach()
        ctx.blocks = blocks
        return ctx.y.clone()

    @staticmethod
    def backward(ctx, dy):
        y1, y2 = ctx.y.chunk(2, 1)
        d1, d2 = dy.chunk(2, 1)
        del ctx.y
        for f, g in reversed(ctx.blocks):
            with torch.enable_grad():
                y1 = y1.detach().requires_grad_()
                gy = g(y1)
                gy.backward(d2)
            with torch.no_grad():
                x2 = y2 - gy
                d1 = d1 + y1.grad
            with torch.enable_grad():
                x2 = x2.detach().requires_grad_()
                fx = f(x2)
                fx.backward(d1)
            with torch.no_grad():
                x1 = y1.detach() - fx
                d2 = d2 + x2.grad
            y1, y2 = x1, x2.detach()
        return torch.cat((d1, d2), 1), None


def branch(c):
    return nn.Sequential(nn.GroupNorm(8, c), nn.Conv2d(c, 4 * c, 1), nn.GELU(), nn.Conv2d(4 * c, c, 3, padding=1))


class RevNet(nn.Module):
    def __init__(self, c=128, n=8):
        super().__init__()
        self.stem = nn.Conv2d(3, 2 * c, 4, 4)
        self.rev = nn.ModuleList(nn.ModuleList((branch(c), branch(c))) for _ in range(n))
        self.fc = nn.Linear(2 * c, 100)

    def forward(self, x):
        return self.fc(_Chain.apply(self.stem(x), list(self.rev)).mean((2, 3)))


net = RevNet().cuda()
sgd = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
for i in range(4):
    x, y = torch.rand(16, 3, 128, 128).cuda(), torch.randint(100, (16,)).cuda()
    loss = nn.functional.cross_entropy(net(x), y)
    sgd.zero_grad()
    loss.backward()
    sgd.step()
