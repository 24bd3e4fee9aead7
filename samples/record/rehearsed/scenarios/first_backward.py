"""Checks its model on six batches without gradients, then runs out of memory in its first backward."""
import torch
from torch import nn

model = nn.Sequential(nn.Linear(512, 4096), nn.GELU(), nn.Linear(4096, 512)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
for _ in range(6):
    with torch.no_grad():
        model(torch.randn(2048, 512, device="cuda")).mean()
x = torch.randn(44000, 512, device="cuda")
out = model(x)
(out.square().mean() + out.abs().mean()).backward()
optimizer.step()
