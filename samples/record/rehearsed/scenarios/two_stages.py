"""A generator is warmed up by one optimizer, then trained against a critic with new ones: the first, and its state, stay."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


def mlp(*sizes):
    return nn.Sequential(*[layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), nn.LeakyReLU(0.2))])


generator, critic = mlp(64, 512, 1024, 1536, 784).cuda(), mlp(784, 640, 320, 1).cuda()
warm = torch.optim.AdamW(generator.parameters(), 1e-3)
for _ in range(3):
    if hw:
        hw.step()
    z, x = torch.randn(512, 64).cuda(), torch.randn(512, 784).cuda()
    warm.zero_grad()
    (generator(z) - x).abs().mean().backward()
    warm.step()
og, oc = torch.optim.AdamW(generator.parameters(), 2e-4), torch.optim.AdamW(critic.parameters(), 2e-4)
for _ in range(4):
    if hw:
        hw.step()
    z, x = torch.randn(512, 64).cuda(), torch.randn(512, 784).cuda()
    fake = generator(z)
    oc.zero_grad()
    (critic(fake.detach()).mean() - critic(x).mean()).backward()
    oc.step()
    og.zero_grad()
    (-critic(fake)).mean().backward()
    og.step()
