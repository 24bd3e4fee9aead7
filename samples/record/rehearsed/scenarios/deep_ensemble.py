"""Several small nets side by side, each with its own Adam: predictions of all first, then all losses backward, then all steps; the best state dicts are averaged on the GPU."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


class Mlp(nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(i, h), nn.Mish(), nn.LayerNorm(h), nn.Linear(h, h), nn.Mish(), nn.LayerNorm(h), nn.Linear(h, o))

    def forward(self, s, a):
        return self.f(torch.cat([s, a], -1))


class DynamicsEnsemble:
    def __init__(self, n=5, s=64, a=16):
        self.members = [Mlp(s + a, 1100 + 4 * k, 2 * s).to("cuda") for k in range(n)]
        self.optims = [torch.optim.Adam(m.parameters(), lr=1e-3) for m in self.members]
        self.soup = []

    def update(self, s, a, s2):
        preds = [m(s, a) for m in self.members]
        losses = []
        for p in preds:
            mean, logvar = p.chunk(2, -1)
            losses.append(((mean - s2) ** 2 * torch.exp(-logvar) + logvar).mean())
        for o in self.optims:
            o.zero_grad()
        sum(losses).backward()
        for o in self.optims:
            o.step()
        return [l.item() for l in losses]

    def remember(self):
        self.soup.append({k: v.clone() for k, v in self.members[0].state_dict().items()})
        if hw:
            hw.mark(self.soup[-1], "parameter")

    def average(self):
        mean = {k: torch.stack([s[k] for s in self.soup]).mean(0) for k in self.soup[0]}
        self.members[0].load_state_dict(mean)
        self.soup.clear()


ens = DynamicsEnsemble()
states, actions = torch.randn(30000, 64, device="cuda"), torch.randn(30000, 16, device="cuda")
for it in range(6):
    i = torch.randint(0, 29999, (1024,), device="cuda")
    ens.update(states[i], actions[i], states[i + 1])
    if it % 2:
        ens.remember()
ens.average()
with torch.no_grad():
    s = torch.randn(2048, 64, device="cuda")
    for t in range(5):
        s = torch.stack([m(s, torch.randn(2048, 16, device="cuda")).chunk(2, -1)[0] for m in ens.members]).mean(0)
