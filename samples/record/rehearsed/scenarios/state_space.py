# Selective scan written as a python loop over chunks; Prodigy-like optimizer that keeps the starting weights.
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class SSM(nn.Module):
    def __init__(self, d, n=16):
        super().__init__()
        self.in_proj, self.out_proj = nn.Linear(d, 4 * d, bias=False), nn.Linear(2 * d, d, bias=False)
        self.x_proj = nn.Linear(2 * d, 2 * n + 2 * d, bias=False)
        self.A_log, self.D = nn.Parameter(torch.zeros(2 * d, n)), nn.Parameter(torch.ones(2 * d))
        self.n = n
    def forward(self, u):
        x, z = self.in_proj(u).chunk(2, -1)
        dt, B, C = self.x_proj(F.silu(x)).split([x.size(-1), self.n, self.n], -1)
        h, ys = 0, []
        for xs, ds, bs, cs in zip(*(t.split(64, 1) for t in (x, F.softplus(dt), B, C))):
            decay = torch.exp(ds.mean(1)[..., None] * -self.A_log.exp())
            h = decay * h + torch.einsum("btd,btn->bdn", xs * ds, bs)
            ys.append(torch.einsum("bdn,btn->btd", h, cs))
        return self.out_proj((torch.cat(ys, 1) + x * self.D) * F.silu(z))

class Prodigious(torch.optim.Optimizer):
    def __init__(self, params, lr=1.0): super().__init__(params, {"lr": lr})
    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in filter(lambda q: q.grad is not None, group["params"]):
                st = self.state[p]
                if "p0" not in st:
                    st["p0"], st["s"] = p.flatten().detach().clone(), torch.zeros_like(p.data).flatten()
                    st["m"], st["v"] = torch.zeros_like(p), torch.zeros_like(p)
                st["m"].mul_(.9).add_(p.grad, alpha=.1); st["v"].mul_(.999).addcmul_(p.grad, p.grad, value=.001)
                st["s"].add_(p.grad.flatten(), alpha=1e-3)
                p.addcdiv_(st["m"], st["v"].sqrt().add_(1e-8), value=-1e-6)

mamba = nn.Sequential(nn.Embedding(8000, 512), *[m for _ in range(3) for m in (nn.LayerNorm(512), SSM(512))], nn.Linear(512, 8000)).cuda()
opt = Prodigious(mamba.parameters())
tokens_seen = 0
while tokens_seen < 4 * 2 * 256:
    t = torch.randint(8000, (2, 257), device="cuda")
    loss = F.cross_entropy(mamba(t[:, :-1]).flatten(0, 1), t[:, 1:].flatten())
    loss.backward()
    opt.step()
    opt.zero_grad()
    tokens_seen += 512
