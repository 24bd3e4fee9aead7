"""Progressive growing: a layer is added to both nets at each resolution, new parameters join the optimizers by add_param_group."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class G(nn.Module):
    def __init__(self, z=256, c=256):
        super().__init__()
        self.c, self.first = c, nn.ConvTranspose2d(z, c, 8)
        self.layers = nn.ModuleList()
        self.rgb = nn.Conv2d(c, 3, 1)

    def grow(self):
        layer = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(self.c, self.c, 3, padding=1), nn.LeakyReLU(0.2), nn.Conv2d(self.c, self.c, 3, padding=1),
                              nn.LeakyReLU(0.2)).cuda()
        self.layers.append(layer)
        return list(layer.parameters())

    def forward(self, z):
        x = self.first(z[..., None, None])
        for l in self.layers:
            x = l(x)
        return self.rgb(x)


class D(nn.Module):
    def __init__(self, c=256):
        super().__init__()
        self.c, self.rgb = c, nn.Conv2d(3, c, 1)
        self.layers = nn.ModuleList()
        self.last = nn.Conv2d(c, 1, 8)

    def grow(self):
        layer = nn.Sequential(nn.Conv2d(self.c, self.c, 3, padding=1), nn.LeakyReLU(0.2), nn.Conv2d(self.c, self.c, 3, padding=1), nn.LeakyReLU(0.2), nn.AvgPool2d(2)).cuda()
        self.layers.insert(0, layer)
        return list(layer.parameters())

    def forward(self, x):
        x = self.rgb(x)
        for l in self.layers:
            x = l(x)
        return self.last(x).flatten()


g, d = G().cuda(), D().cuda()
go, do = (torch.optim.Adam(m.parameters(), 1e-3, betas=(0.0, 0.99)) for m in (g, d))
for res in (8, 16, 32, 64):
    if res > 8:
        go.add_param_group({"params": g.grow()})
        do.add_param_group({"params": d.grow()})
    for it in range(2):
        real = F.interpolate(torch.rand(16, 3, 64, 64, device="cuda"), res)
        z = torch.randn(16, 256, device="cuda")
        do.zero_grad()
        (F.softplus(d(g(z).detach())).mean() + F.softplus(-d(real)).mean()).backward()
        do.step()
        go.zero_grad()
        F.softplus(-d(g(z))).mean().backward()
        go.step()
