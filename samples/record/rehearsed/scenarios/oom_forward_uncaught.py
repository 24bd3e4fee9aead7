# Sequence length grows with the curriculum until the GPU is full; nothing is caught. Decoder with attention by hand.
import torch, torch.nn as nn

class Head(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.k, self.q, self.v = nn.Linear(d, d, False), nn.Linear(d, d, False), nn.Linear(d, d, False)
        self.o = nn.Sequential(nn.Linear(d, 4 * d), nn.ReLU(), nn.Linear(4 * d, d))
    def forward(self, x):
        w = self.q(x) @ self.k(x).transpose(-2, -1) * x.shape[-1] ** -.5
        w = w.masked_fill(torch.ones(w.shape[-2:], device=w.device).tril() == 0, float("-inf"))
        x = x + w.softmax(-1) @ self.v(x)
        return x + self.o(x)

net = nn.ModuleDict({"e": nn.Embedding(5000, 512), "b": nn.Sequential(*[Head(512) for _ in range(4)]), "h": nn.Linear(512, 5000)}).cuda()
opt = torch.optim.AdamW(net.parameters())
for length in (512, 1024, 2048, 4096, 8192, 16384):
    t = torch.randint(0, 5000, (8, length)).cuda()
    loss = nn.functional.cross_entropy(net["h"](net["b"](net["e"](t))).transpose(1, 2), t)
    loss.backward()
    opt.step()
    opt.zero_grad()
