"""Two towers, of which the optimizer gets one: gradients of the other are made by the first backward, added to, and never used."""
import torch
from torch import nn


def tower(i, d, n):
    return nn.Sequential(nn.Linear(i, d), *[nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(n)])


image, text = tower(768, 512, 4).cuda(), tower(300, 448, 4).cuda()
out = nn.Linear(448, 512, bias=False).cuda()
optimizer = torch.optim.AdamW(image.parameters(), 1e-4)
for step in range(6):
    a, b = torch.randn(256, 768).cuda(), torch.randn(256, 300).cuda()
    optimizer.zero_grad()
    scores = nn.functional.normalize(image(a), dim=-1) @ nn.functional.normalize(out(text(b)), dim=-1).T
    loss = nn.functional.cross_entropy(scores * 20, torch.arange(256, device="cuda"))
    loss.backward()
    optimizer.step()
