"""A model that is too big: fp32 layers are added to the GPU until it is out of memory in the optimizer"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

layers = nn.ModuleList(nn.Linear(16384, 16384, bias=False, device="cuda") for _ in range(38)); opt = torch.optim.Adam(layers.parameters())
x = torch.randn(64, 16384, device="cuda")
for l in layers: x = l(x)
x.square().mean().backward(); print("backward done", flush=True); opt.step(); print("step done")
