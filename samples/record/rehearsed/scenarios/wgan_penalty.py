# WGAN-GP: the critic is trained three times for each generator step, gradient penalty by autograd.grad.
import sys
import torch
from torch import nn, autograd

hw = sys.modules.get("highwater_labels")
Z, X = 256, 8192
G = nn.Sequential(nn.Linear(Z, 1024), nn.ReLU(), nn.Linear(1024, X)).cuda()
C = nn.Sequential(nn.Linear(X, 1024), nn.LeakyReLU(.2), nn.Linear(1024, 512), nn.LeakyReLU(.2), nn.Linear(512, 1)).cuda()
opt_g, opt_c = torch.optim.Adam(G.parameters(), 1e-4, (0., .9)), torch.optim.Adam(C.parameters(), 1e-4, (0., .9))

def gradient_penalty(real, fake):
    eps = torch.rand(real.size(0), 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = C(mix)
    g, = autograd.grad(out, mix, torch.ones_like(out), create_graph=True, retain_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()

for it in range(3):
    if hw: hw.step()
    for _ in range(3):
        real = torch.randn(512, X).cuda()
        fake = G(torch.randn(512, Z, device="cuda")).detach()
        opt_c.zero_grad()
        (C(fake).mean() - C(real).mean() + 10 * gradient_penalty(real, fake)).backward()
        opt_c.step()
    opt_g.zero_grad()
    (-C(G(torch.randn(512, Z, device="cuda"))).mean()).backward()
    opt_g.step()
