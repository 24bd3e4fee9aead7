"""An engine object as DeepSpeed gives: engine(batch), engine.backward(loss), engine.step(); accumulation, clipping, masters and the schedule are inside."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


class Engine:
    def __init__(self, module, lr, accumulation):
        self.module, self.ga, self.micro = module.cuda().bfloat16(), accumulation, 0
        self.lp = [p for p in self.module.parameters() if p.requires_grad]
        self.hp = [p.detach().clone().float() for p in self.lp]
        self.acc = None
        self.m, self.v, self.lr, self.t = [torch.zeros_like(p) for p in self.hp], [torch.zeros_like(p) for p in self.hp], lr, 0
        if hw:
            hw.mark([self.hp, self.m, self.v], "optimizer_state")

    def __call__(self, *a):
        return self.module(*a)

    def backward(self, loss):
        (loss / self.ga).backward()
        if self.acc is None:
            self.acc = [torch.zeros_like(h) for h in self.hp]
            if hw:
                hw.mark(self.acc, "gradient")
        for a, p in zip(self.acc, self.lp):
            a.add_(p.grad)
            p.grad = None
        self.micro += 1

    @torch.no_grad()
    def step(self):
        if self.micro % self.ga:
            return
        if hw:
            hw.phase("optimizer")
        self.t += 1
        norm = torch.stack([a.norm() for a in self.acc]).norm()
        scale = 1.0 / (norm + 1e-6).clamp(min=1.0)
        for w, h, a, m, v in zip(self.lp, self.hp, self.acc, self.m, self.v):
            a.mul_(scale)
            m.lerp_(a, 0.1)
            v.mul_(0.95).addcmul_(a, a, value=0.05)
            h.addcdiv_(m, v.sqrt() + 1e-8, value=-self.lr)
            w.copy_(h)
        self.acc = None
        if hw:
            hw.phase("between")


class GatedConv(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm, self.proj, self.out = nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.short = nn.Conv1d(3 * d, 3 * d, 3, padding=2, groups=3 * d)
        self.filt = nn.Conv1d(d, d, 64, padding=63, groups=d)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        n = x.size(1)
        u = self.short(self.proj(self.norm(x)).transpose(1, 2))[..., :n]
        a, b, v = u.chunk(3, 1)
        x = x + self.out((a * self.filt(b * v)[..., :n]).transpose(1, 2))
        return x + self.ff(x)


net = nn.Sequential(nn.Embedding(8000, 512), *[GatedConv(512) for _ in range(4)], nn.LayerNorm(512), nn.Linear(512, 8000))
engine = Engine(net, 1e-3, 2)
for i in range(8):
    if hw and i % 2 == 0:
        hw.step()
    ids = torch.randint(8000, (4, 513), device="cuda")
    loss = nn.functional.cross_entropy(engine(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten())
    engine.backward(loss)
    engine.step()
