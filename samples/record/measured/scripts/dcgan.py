"""DCGAN: two networks, two optimizers, detach"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

G = nn.Sequential(nn.ConvTranspose2d(100, 512, 4, 1, 0), nn.BatchNorm2d(512), nn.ReLU(True), nn.ConvTranspose2d(512, 256, 4, 2, 1), nn.BatchNorm2d(256), nn.ReLU(True),
    nn.ConvTranspose2d(256, 128, 4, 2, 1), nn.BatchNorm2d(128), nn.ReLU(True), nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.BatchNorm2d(64), nn.ReLU(True), nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Tanh()).cuda()
D = nn.Sequential(nn.Conv2d(3, 64, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.Conv2d(64, 128, 4, 2, 1), nn.BatchNorm2d(128), nn.LeakyReLU(0.2, True), nn.Conv2d(128, 256, 4, 2, 1), nn.BatchNorm2d(256),
    nn.LeakyReLU(0.2, True), nn.Conv2d(256, 1, 8, 1, 0), nn.Flatten(0)).cuda()
og, od, bce = torch.optim.Adam(G.parameters(), 2e-4, (0.5, 0.999)), torch.optim.Adam(D.parameters(), 2e-4, (0.5, 0.999)), nn.BCEWithLogitsLoss()
for _ in range(4):
    real, z = torch.rand(128, 3, 64, 64).cuda(), torch.randn(128, 100, 1, 1, device="cuda")
    fake = G(z); od.zero_grad()
    (bce(D(real), torch.ones(128, device="cuda")) + bce(D(fake.detach()), torch.zeros(128, device="cuda"))).backward(); od.step()
    og.zero_grad(); loss = bce(D(fake), torch.ones(128, device="cuda")); loss.backward(); og.step()
print(loss.item())
