"""U-Net for segmentation: convolutions and transposed ones, GroupNorm, bf16 autocast, AdamW"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

def double(i, o): return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU(), nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU())
class UNet(nn.Module):
    def __init__(self, c=(64, 128, 256, 512)):
        super().__init__()
        self.down = nn.ModuleList(double(i, o) for i, o in zip((3,) + c, c))
        self.mid = double(c[-1], c[-1] * 2)
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * o, o, 2, 2) for o in reversed(c))
        self.dec = nn.ModuleList(double(2 * o, o) for o in reversed(c))
        self.head = nn.Conv2d(c[0], 2, 1)
    def forward(self, x):
        skips = []
        for d in self.down: x = d(x); skips.append(x); x = F.max_pool2d(x, 2)
        x = self.mid(x)
        for u, d in zip(self.up, self.dec): x = d(torch.cat([skips.pop(), u(x)], 1))
        return self.head(x)
model = UNet().cuda(); opt = torch.optim.AdamW(model.parameters())
for step in range(4):
    x, y = torch.rand(8, 3, 256, 256, device="cuda"), torch.randint(0, 2, (8, 256, 256), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16): loss = F.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step(); print(step, loss.item())
