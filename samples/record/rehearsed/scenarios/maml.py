# Second-order meta-learning: the inner update is differentiated through.
import torch
from torch import nn
from torch.func import functional_call

net = nn.Sequential(nn.Linear(1024, 1536), nn.ReLU(), nn.Linear(1536, 1536), nn.ReLU(), nn.Linear(1536, 64)).cuda()
meta = torch.optim.Adam(net.parameters(), 1e-3)
for it in range(3):
    meta.zero_grad()
    total = 0
    for task in range(2):
        sx, sy = torch.randn(64, 1024).cuda(), torch.randint(64, (64,)).cuda()
        qx, qy = torch.randn(64, 1024).cuda(), torch.randint(64, (64,)).cuda()
        fast = dict(net.named_parameters())
        for inner in range(2):
            l = nn.functional.cross_entropy(functional_call(net, fast, (sx,)), sy)
            gs = torch.autograd.grad(l, list(fast.values()), create_graph=True)
            fast = {n: w - 0.01 * g for (n, w), g in zip(fast.items(), gs)}
        total = total + nn.functional.cross_entropy(functional_call(net, fast, (qx,)), qy)
    total.backward()
    meta.step()
