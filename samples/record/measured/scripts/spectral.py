"""Fourier layers (FNO), stft loss: FFT on the device"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

class Spectral(nn.Module):
    def __init__(self, c, m): super().__init__(); self.w = nn.Parameter(torch.randn(c, c, m, m, dtype=torch.cfloat) * 0.01); self.m = m
    def forward(self, x):
        f = torch.fft.rfft2(x); o = torch.zeros_like(f); o[:, :, :self.m, :self.m] = torch.einsum("bixy,ioxy->boxy", f[:, :, :self.m, :self.m], self.w)
        return torch.fft.irfft2(o, s=x.shape[-2:])
net = nn.Sequential(nn.Conv2d(1, 64, 1), Spectral(64, 16), nn.GELU(), Spectral(64, 16), nn.GELU(), nn.Conv2d(64, 1, 1)).cuda(); opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    loss = net(torch.randn(16, 1, 128, 128, device="cuda")).square().mean(); loss.backward(); opt.step(); opt.zero_grad()
print(loss.item())
