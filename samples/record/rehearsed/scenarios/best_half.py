"""Convolutions for dense prediction; after an epoch the best weights so far are copied in half the precision, and stay on the GPU."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


def level(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


model = nn.Sequential(level(3, 48), level(48, 96, 2), level(96, 192, 2), level(192, 384, 2), nn.Conv2d(384, 19, 1), nn.Upsample(scale_factor=8)).cuda()
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
best = None
for epoch in range(3):
    model.train()
    for _ in range(2):
        x, y = torch.randn(4, 3, 96, 96).cuda(), torch.randint(0, 19, (4, 96, 96)).cuda()
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        score = (model(x).argmax(1) == y).float().mean()
    if epoch == 0:
        best = {name: value.detach().clone().half() if value.is_floating_point() else value.clone() for name, value in model.state_dict().items()}
        if hw:
            hw.mark(best, "parameter")
torch.save(best, "best.pt")
