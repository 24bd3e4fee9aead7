"""Instant-NGP in plain PyTorch: hashed feature tables of many resolutions, an occupancy grid as a buffer, rays marched in chunks."""
import torch
from torch import nn

PRIMES = (1, 2654435761, 805459861)


class HashEncoding(nn.Module):
    def __init__(self, levels=12, log2=18, f=2, base=16, growth=1.45):
        super().__init__()
        self.res = [int(base * growth**i) for i in range(levels)]
        self.tables = nn.ParameterList([nn.Parameter(torch.empty(min((r + 1) ** 3, 1 << log2), f).uniform_(-1e-4, 1e-4)) for r in self.res])
        self.register_buffer("corners", torch.tensor([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]))

    def forward(self, x):
        out = []
        for r, table in zip(self.res, self.tables):
            p = x * r
            lo = p.floor()
            w = p - lo
            c = lo.long()[:, None] + self.corners
            h = (c[..., 0] * PRIMES[0]) ^ (c[..., 1] * PRIMES[1]) ^ (c[..., 2] * PRIMES[2])
            feats = table[h % len(table)]
            ww = torch.where(self.corners.bool(), w[:, None], 1 - w[:, None]).prod(-1, keepdim=True)
            out.append((feats * ww).sum(1))
        return torch.cat(out, 1)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = HashEncoding()
        self.sigma = nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 16))
        self.rgb = nn.Sequential(nn.Linear(16 + 3, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3), nn.Sigmoid())
        self.register_buffer("occupancy", torch.ones(128**3, dtype=torch.float32))

    def query(self, x, d):
        h = self.sigma(self.enc(x))
        return h[:, 0].exp(), self.rgb(torch.cat([h, d], 1))

    @torch.no_grad()
    def update_occupancy(self, n=65536):
        i = torch.randint(0, len(self.occupancy), (n,), device=self.occupancy.device)
        xyz = torch.stack((i % 128, i // 128 % 128, i // 16384), 1) / 128
        self.occupancy.mul_(0.95)
        self.occupancy[i] = self.sigma(self.enc(xyz))[:, 0].exp()


def composite(sigma, rgb, dt):
    alpha = 1 - torch.exp(-sigma * dt)
    T = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    return ((alpha * T)[..., None] * rgb).sum(1)


def march(field, o, d, n=32):
    t = torch.linspace(0.05, 1, n, device=o.device)
    x = (o[:, None] + t[None, :, None] * d[:, None]).clamp(0, 1).view(-1, 3)
    s, c = field.query(x, d[:, None].expand(-1, n, -1).reshape(-1, 3))
    return composite(s.view(-1, n), c.view(-1, n, 3), 1 / n)


def main():
    images = torch.rand(40, 160, 160, 3, device="cuda")
    dirs = nn.functional.normalize(torch.randn(40, 160, 160, 3, device="cuda"), dim=-1)
    field = Field().cuda()
    opt = torch.optim.Adam(field.parameters(), lr=1e-2, betas=(0.9, 0.99), eps=1e-15)
    for step in range(6):
        if step % 3 == 0:
            field.update_occupancy()
        pick = torch.randint(0, 40 * 160 * 160, (4096,), device="cuda")
        d, gt = dirs.view(-1, 3)[pick], images.view(-1, 3)[pick]
        loss = nn.functional.huber_loss(march(field, torch.rand_like(d), d), gt)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        rows = [march(field, torch.rand_like(d), d).cpu() for d in dirs[0].view(-1, 3).split(6400)]
    return torch.cat(rows)


main()
