"""Models of torchvision with random weights, bf16 autocast, AdamW: zoo.py NAME BATCH"""
import torch, torch.nn as nn, torchvision

import sys
name, batch = sys.argv[1], int(sys.argv[2])
model = getattr(torchvision.models, name)(weights=None).cuda().train()
opt = torch.optim.AdamW(model.parameters(), 1e-3)
for _ in range(4):
    x, y = torch.rand(batch, 3, 224, 224, device="cuda"), torch.randint(0, 1000, (batch,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16): loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
print(name, loss.item())
