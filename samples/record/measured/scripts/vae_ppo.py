"""Variational autoencoder with torch.distributions and a small PPO update"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from torch.distributions import Normal, Categorical, kl_divergence
enc, dec = nn.Sequential(nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 128)).cuda(), nn.Sequential(nn.Linear(64, 1024), nn.ReLU(), nn.Linear(1024, 784)).cuda()
pi = nn.Sequential(nn.Linear(128, 512), nn.Tanh(), nn.Linear(512, 8)).cuda(); opt = torch.optim.Adam([*enc.parameters(), *dec.parameters(), *pi.parameters()])
for _ in range(4):
    x = torch.rand(4096, 784, device="cuda"); mu, s = enc(x).chunk(2, 1); q = Normal(mu, F.softplus(s) + 1e-4)
    loss = F.mse_loss(dec(q.rsample()), x) + kl_divergence(q, Normal(torch.zeros_like(mu), torch.ones_like(mu))).sum(1).mean()
    p = Categorical(logits=pi(torch.randn(4096, 128, device="cuda"))); a = p.sample(); ratio = (p.log_prob(a) - p.log_prob(a).detach()).exp()
    (loss - (ratio * torch.randn(4096, device="cuda")).mean() - 0.01 * p.entropy().mean()).backward(); nn.utils.clip_grad_norm_(pi.parameters(), 0.5); opt.step(); opt.zero_grad()
print(loss.item())
