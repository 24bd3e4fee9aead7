"""1D convolutions on sound (wav2vec-like encoder), fp16 autocast"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

layers, i = [], 1
for o, k, s in [(512, 10, 5), (512, 3, 2), (512, 3, 2), (512, 3, 2), (512, 2, 2)]:
    layers += [nn.Conv1d(i, o, k, s), nn.GroupNorm(32, o), nn.GELU()]; i = o
model = nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(512, 10)).cuda()
opt = torch.optim.AdamW(model.parameters()); scaler = torch.amp.GradScaler()
for _ in range(4):
    x, y = torch.randn(8, 1, 48000, device="cuda"), torch.randint(0, 10, (8,), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16): loss = F.cross_entropy(model(x), y)
    scaler.scale(loss).backward(); scaler.step(opt); scaler.update(); opt.zero_grad()
print(loss.item())
