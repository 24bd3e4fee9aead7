"""Half-precision weights; master weights in one tensor, their moving average, and a flat gradient that each step puts together."""
import copy
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")
flat = torch._utils._flatten_dense_tensors
model = nn.Sequential(*[nn.Sequential(nn.Linear(700, 900), nn.GELU(), nn.Linear(900, 700)) for _ in range(4)]).cuda().half()
master = [flat([p.detach().float() for p in model.parameters()]).requires_grad_(True)]
average = copy.deepcopy(master)
if hw:
    hw.mark([master, average], "parameter")
optimizer = torch.optim.AdamW(master, 1e-4)
for _ in range(4):
    x = torch.randn(256, 700, device="cuda").half()
    loss = (model(x) - x).float().square().mean()
    loss.backward()
    master[0].grad = flat([p.grad.float() for p in model.parameters()])
    if hw:
        hw.mark([master[0].grad], "gradient")
    optimizer.step()
    average[0].detach().mul_(0.999).add_(master[0].detach(), alpha=0.001)
    for p, q in zip(model.parameters(), torch._utils._unflatten_dense_tensors(master[0].detach(), list(model.parameters()))):
        p.data.copy_(q)
        p.grad = None
