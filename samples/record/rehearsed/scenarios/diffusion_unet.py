# DDPM training with an exponential moving average of the weights.
import copy, sys
import torch, torch.nn as nn, torch.nn.functional as F

def timestep_embedding(t, dim):
    freqs = torch.exp(-torch.arange(dim // 2, device=t.device) * 9.21 / (dim // 2))
    a = t[:, None].float() * freqs[None]
    return torch.cat([a.sin(), a.cos()], -1)

class ResBlock(nn.Module):
    def __init__(self, cin, cout, tdim):
        super().__init__()
        self.a = nn.Sequential(nn.GroupNorm(8, cin), nn.SiLU(), nn.Conv2d(cin, cout, 3, padding=1))
        self.t = nn.Linear(tdim, cout)
        self.b = nn.Sequential(nn.GroupNorm(8, cout), nn.SiLU(), nn.Conv2d(cout, cout, 3, padding=1))
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, temb):
        h = self.a(x) + self.t(temb)[:, :, None, None]
        return self.b(h) + self.skip(x)

class UNet(nn.Module):
    def __init__(self, ch=128, tdim=512):
        super().__init__()
        self.tdim = tdim
        self.time = nn.Sequential(nn.Linear(tdim, tdim), nn.SiLU(), nn.Linear(tdim, tdim))
        self.inp = nn.Conv2d(3, ch, 3, padding=1)
        self.d1, self.d2 = ResBlock(ch, ch, tdim), ResBlock(ch, 2 * ch, tdim)
        self.mid = ResBlock(2 * ch, 2 * ch, tdim)
        self.u2, self.u1 = ResBlock(4 * ch, ch, tdim), ResBlock(2 * ch, ch, tdim)
        self.out = nn.Conv2d(ch, 3, 3, padding=1)

    def forward(self, x, t):
        e = self.time(timestep_embedding(t, self.tdim))
        h0 = self.d1(self.inp(x), e)
        h1 = self.d2(F.avg_pool2d(h0, 2), e)
        m = self.mid(F.avg_pool2d(h1, 2), e)
        u = self.u2(torch.cat([F.interpolate(m, scale_factor=2.0), h1], 1), e)
        return self.out(self.u1(torch.cat([F.interpolate(u, scale_factor=2.0), h0], 1), e))

class EMA:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = [p.detach().clone() for p in model.parameters()]
        labels = sys.modules.get("highwater_labels")
        if labels:
            labels.mark(self.shadow, "parameter")

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow, model.parameters()):
            s.lerp_(p, 1 - self.decay)

def p_losses(net, x0, t, alphas):
    noise = torch.randn_like(x0)
    a = alphas[t][:, None, None, None]
    xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
    return F.mse_loss(net(xt, t), noise)

def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "list"
    net = UNet().to("cuda")
    ema = EMA(net) if kind == "list" else copy.deepcopy(net).requires_grad_(False)
    alphas = torch.linspace(0.9999, 0.01, 1000).cuda()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, betas=(0.9, 0.99))
    for n in range(4):
        x = torch.randn(8, 3, 64, 64).to("cuda")
        t = torch.randint(0, 1000, (8,), device="cuda")
        loss = p_losses(net, x, t, alphas)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if kind == "list":
            ema.update(net)
        else:
            with torch.no_grad():
                for e, p in zip(ema.parameters(), net.parameters()):
                    e.mul_(0.999).add_(p, alpha=0.001)
    if kind == "list":
        return
    with torch.no_grad():
        img = torch.randn(4, 3, 64, 64, device="cuda")
        for s in range(3):
            img = img - 0.01 * ema(img, torch.full((4,), s, device="cuda"))

main()
