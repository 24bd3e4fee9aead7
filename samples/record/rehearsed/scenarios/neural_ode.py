"""A neural ODE with the adjoint as a torch.autograd.Function: forward saves the states, backward integrates vector-Jacobian products."""
import torch
import torch.nn as nn


class ODEF(nn.Module):
    def forward_with_grad(self, z, t, a):
        out = self(z, t)
        adfdz, *adfdp = torch.autograd.grad((out,), (z,) + tuple(self.parameters()), grad_outputs=(a,), allow_unused=True)
        return out, adfdz, torch.cat([g.flatten() for g in adfdp])


class Field(ODEF):
    def __init__(self, c, hidden):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(c, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, c)

    def forward(self, z, t):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(z) + t))))


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z0, flat, n, func):
        h = 1.0 / n
        with torch.no_grad():
            z, zs = z0, [z0]
            for i in range(n):
                z = z + h * func(z, i * h)
                zs.append(z)
        ctx.func, ctx.n = func, n
        ctx.save_for_backward(flat, *zs)
        return z

    @staticmethod
    def backward(ctx, adj):
        flat, *zs = ctx.saved_tensors
        h = 1.0 / ctx.n
        adj_p = torch.zeros_like(flat)
        for i in reversed(range(ctx.n)):
            with torch.enable_grad():
                zi = zs[i].detach().requires_grad_(True)
                _, dz, dp = ctx.func.forward_with_grad(zi, i * h, adj)
            adj = adj + h * dz
            adj_p += h * dp
        return adj, adj_p, None, None


class NeuralODE(nn.Module):
    def __init__(self, func):
        super().__init__()
        self.func = func

    def forward(self, z0, n=6):
        return Adjoint.apply(z0, torch.cat([p.flatten() for p in self.func.parameters()]), n, self.func)


model = nn.Sequential(nn.Linear(784, 1024), NeuralODE(Field(1024, 2048)), nn.Linear(1024, 10)).cuda()
optimizer = torch.optim.Adamax(model.parameters(), lr=2e-3)
for itr in range(4):
    x, y = torch.rand(2048, 784).cuda(), torch.randint(10, (2048,)).cuda()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
