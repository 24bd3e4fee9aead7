"""PCGrad on a multi-task network: one backward for each task over a retained graph, gradients projected and put back."""
import random

import torch
from torch import nn


class PCGrad:
    def __init__(self, optimizer):
        self._optim = optimizer

    def zero_grad(self):
        return self._optim.zero_grad(set_to_none=True)

    def step(self):
        return self._optim.step()

    def pc_backward(self, objectives):
        grads, shapes, has_grads = self._pack_grad(objectives)
        pc_grad = self._project_conflicting(grads, has_grads)
        self._set_grad(self._unflatten_grad(pc_grad, shapes[0]))

    def _project_conflicting(self, grads, has_grads):
        shared = torch.stack(has_grads).prod(0).bool()
        pc_grad = [g.clone() for g in grads]
        for g_i in pc_grad:
            random.shuffle(grads)
            for g_j in grads:
                g_i_g_j = torch.dot(g_i, g_j)
                if g_i_g_j < 0:
                    g_i -= g_i_g_j * g_j / (g_j.norm() ** 2)
        return torch.where(shared, torch.stack(pc_grad).mean(0), torch.stack(pc_grad).sum(0))

    def _set_grad(self, grads):
        idx = 0
        for group in self._optim.param_groups:
            for p in group["params"]:
                p.grad = grads[idx]
                idx += 1

    def _pack_grad(self, objectives):
        grads, shapes, has_grads = [], [], []
        for obj in objectives:
            self._optim.zero_grad(set_to_none=True)
            obj.backward(retain_graph=True)
            grad, shape, has_grad = self._retrieve_grad()
            grads.append(torch.cat([g.flatten() for g in grad]))
            has_grads.append(torch.cat([g.flatten() for g in has_grad]))
            shapes.append(shape)
        return grads, shapes, has_grads

    def _unflatten_grad(self, grads, shapes):
        out, idx = [], 0
        for shape in shapes:
            n = shape.numel()
            out.append(grads[idx:idx + n].view(shape).clone())
            idx += n
        return out

    def _retrieve_grad(self):
        grad, shape, has_grad = [], [], []
        for group in self._optim.param_groups:
            for p in group["params"]:
                shape.append(p.shape)
                grad.append(torch.zeros_like(p) if p.grad is None else p.grad.clone())
                has_grad.append(torch.zeros_like(p, dtype=torch.uint8) if p.grad is None else torch.ones_like(p, dtype=torch.uint8))
        return grad, shape, has_grad


class MTL(nn.Module):
    def __init__(self, d=1024, tasks=3):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(512, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU())
        self.heads = nn.ModuleList(nn.Sequential(nn.Linear(d, d // 2), nn.ReLU(), nn.Linear(d // 2, 1)) for _ in range(tasks))

    def forward(self, x):
        z = self.shared(x)
        return [h(z) for h in self.heads]


net = MTL().cuda()
optimizer = PCGrad(torch.optim.Adam(net.parameters(), lr=1e-3))
for it in range(5):
    x = torch.randn(1024, 512, device="cuda")
    ys = [torch.randn(1024, 1, device="cuda") for _ in range(3)]
    losses = [nn.functional.mse_loss(p, y) for p, y in zip(net(x), ys)]
    optimizer.zero_grad()
    optimizer.pc_backward(losses)
    optimizer.step()
