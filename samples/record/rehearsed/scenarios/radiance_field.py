# NeRF: rays, positional encoding, coarse and fine network in one list of variables; an image is rendered in chunks now and then.
import torch
import torch.nn as nn

class NeRF(nn.Module):
    def __init__(self, W=512, D=6, ch=63):
        super().__init__()
        self.pts_linears = nn.ModuleList([nn.Linear(ch, W)] + [nn.Linear(W, W) if i != 3 else nn.Linear(W + ch, W) for i in range(D - 1)])
        self.rgb_sigma = nn.Linear(W, 4)
    def forward(self, x):
        h = x
        for i, l in enumerate(self.pts_linears):
            h = torch.relu(l(h))
            if i == 3:
                h = torch.cat([x, h], -1)
        return self.rgb_sigma(h)

def embed(p):
    return torch.cat([p] + [f(p * 2. ** i) for i in range(10) for f in (torch.sin, torch.cos)], -1)

def raw2outputs(raw, z):
    alpha = 1. - torch.exp(-torch.relu(raw[..., 3]) * .01)
    w = alpha * torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1. - alpha + 1e-10], -1), -1)[:, :-1]
    return (w[..., None] * torch.sigmoid(raw[..., :3])).sum(-2), w

def render_rays(rays, net_c, net_f, n=64):
    o, d = rays
    z = torch.linspace(0., 1., n, device=o.device).expand(o.shape[0], n)
    rgb0, w = raw2outputs(net_c(embed(o[:, None] + d[:, None] * z[..., None])), z)
    z2 = torch.sort(torch.cat([z, z + .5 / n * w.detach()], -1), -1)[0]
    rgb, _ = raw2outputs(net_f(embed(o[:, None] + d[:, None] * z2[..., None])), z2)
    return rgb, rgb0

coarse, fine = NeRF().cuda(), NeRF().cuda()
grad_vars = list(coarse.parameters()) + list(fine.parameters())
optimizer = torch.optim.Adam(params=grad_vars, lr=5e-4, betas=(0.9, 0.999))
for i in range(4):
    rays, target_s = torch.randn(2, 256, 3, device="cuda"), torch.rand(256, 3, device="cuda")
    rgb, rgb0 = render_rays(rays, coarse, fine)
    optimizer.zero_grad()
    loss = ((rgb - target_s) ** 2).mean() + ((rgb0 - target_s) ** 2).mean()
    loss.backward()
    optimizer.step()
    if i == 2:
        with torch.no_grad():
            img = torch.cat([render_rays(r, coarse, fine)[0] for r in torch.randn(4, 2, 256, 3, device="cuda")])
