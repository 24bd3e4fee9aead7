"""Activations saved on the host (save_on_cpu, pinned), double backward (gradient penalty)"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

net = nn.Sequential(*[m for _ in range(8) for m in (nn.Linear(2048, 2048), nn.Tanh())]).cuda(); opt = torch.optim.RMSprop(net.parameters())
for _ in range(3):
    x = torch.randn(4096, 2048, device="cuda")
    with torch.autograd.graph.save_on_cpu(pin_memory=True): y = net(x).mean()
    y.backward()
    z = torch.randn(1024, 2048, device="cuda", requires_grad=True); grad, = torch.autograd.grad(net(z).sum(), z, create_graph=True)
    ((grad.norm(2, dim=1) - 1) ** 2).mean().backward(); opt.step(); opt.zero_grad()
print(y.item())
