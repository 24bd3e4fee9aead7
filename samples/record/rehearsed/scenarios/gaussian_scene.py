"""Points of a scene are the parameters: raw tensors in groups of one optimizer, densified between steps as in 3D Gaussian splatting."""
import sys

import torch
from torch import nn

labels = sys.modules.get("highwater_labels")


class GaussianModel:
    def __init__(self, n):
        self._xyz = nn.Parameter(torch.rand(n, 3, device="cuda").requires_grad_(True))
        self._features = nn.Parameter(torch.rand(n, 16, 3, device="cuda").requires_grad_(True))
        self._scaling = nn.Parameter(torch.rand(n, 3, device="cuda").requires_grad_(True))
        self._rotation = nn.Parameter(torch.rand(n, 4, device="cuda").requires_grad_(True))
        self._opacity = nn.Parameter(torch.rand(n, 1, device="cuda").requires_grad_(True))

    def training_setup(self):
        names = ("xyz", "features", "scaling", "rotation", "opacity")
        self.optimizer = torch.optim.Adam([{"params": [getattr(self, "_" + n)], "lr": 1e-3, "name": n} for n in names], lr=0.0, eps=1e-15)

    def densify(self, extra):
        for group in self.optimizer.param_groups:
            old = group["params"][0]
            stored = self.optimizer.state.pop(old)
            more = old.detach()[:extra]
            stored["exp_avg"] = torch.cat((stored["exp_avg"], torch.zeros_like(more)), dim=0)
            stored["exp_avg_sq"] = torch.cat((stored["exp_avg_sq"], torch.zeros_like(more)), dim=0)
            new = nn.Parameter(torch.cat((old, more), dim=0).requires_grad_(True))
            group["params"][0] = new
            self.optimizer.state[new] = stored
            setattr(self, "_" + group["name"], new)
            if labels:
                labels.mark(new, "parameter")


def render(g, direction):
    color = (g._features * direction).sum(1).sigmoid()
    weight = g._opacity.sigmoid() * torch.exp(-g._scaling.exp().square().sum(1, keepdim=True)) * nn.functional.normalize(g._rotation).sum(1, keepdim=True)
    depth = (g._xyz * direction[:, :3, 0]).sum(1, keepdim=True)
    return (color * weight * depth.sigmoid()).view(64, -1, 3).mean(1)


g = GaussianModel(640_000)
g.training_setup()
for iteration in range(1, 6):
    if labels:
        labels.phase("forward")
    image = render(g, torch.rand(1, 16, 1, device="cuda"))
    loss = (image - torch.rand(64, 3, device="cuda")).abs().mean()
    loss.backward()
    if labels:
        labels.phase("optimizer")
    with torch.no_grad():
        if iteration == 3:
            g.densify(128_000)
        g.optimizer.step()
        g.optimizer.zero_grad(set_to_none=True)
    if labels:
        labels.phase("between")
