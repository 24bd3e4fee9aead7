"""One model, one optimizer: optimizers.py NAME [foreach=False]"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import sys
model = nn.Sequential(*[m for _ in range(6) for m in (nn.Linear(2048, 2048, bias=False), nn.ReLU())]).cuda()
name = sys.argv[1]; opt = getattr(torch.optim, name)(model.parameters(), **eval(f"dict({sys.argv[2] if len(sys.argv) > 2 else ''})"))
x = torch.randn(256, 2048, device="cuda")
def closure(): opt.zero_grad(); loss = model(x).square().mean(); loss.backward(); return loss
for _ in range(3): loss = opt.step(closure)
print(name, loss.item())
