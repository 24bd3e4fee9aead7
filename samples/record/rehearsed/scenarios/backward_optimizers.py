# One optimizer for each parameter, stepped inside of backward; gradients are freed at once.
import torch
from torch import nn

class Lin(nn.Module):
    def __init__(self, d): super().__init__(); self.a = nn.Linear(d, 2 * d); self.b = nn.Linear(2 * d, d)
    def forward(self, x): return x + self.b(torch.relu(self.a(x)))

net = nn.Sequential(*[Lin(1536) for _ in range(4)]).cuda()
optimizers = {p: torch.optim.Adam([p], foreach=False) for p in net.parameters()}

def hook(p):
    optimizers[p].step()
    optimizers[p].zero_grad()

for p in net.parameters():
    p.register_post_accumulate_grad_hook(hook)
for _ in range(4):
    net(torch.rand(256, 1536, device="cuda")).mean().backward()
