"""torch.compile of a small ViT (backend aot_eager: traced and partitioned, no code is generated), a schedule with warm-up and an evaluation."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.n1, self.n2 = h, nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.m = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + self.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d))
        return x + self.m(self.n2(x))


class ViT(nn.Module):
    def __init__(self, d=448, depth=5):
        super().__init__()
        self.p = nn.Conv2d(3, d, 16, 16)
        self.pos = nn.Parameter(torch.randn(1, 196, d) * 0.02)
        self.b = nn.Sequential(*[Block(d, 7) for _ in range(depth)])
        self.n, self.f = nn.LayerNorm(d), nn.Linear(d, 1000)

    def forward(self, x):
        return self.f(self.n(self.b(self.p(x).flatten(2).transpose(1, 2) + self.pos)).mean(1))


model = ViT().cuda()
fast = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
sched = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, 1.0, 4)
for step in range(5):
    x, y = torch.rand(16, 3, 224, 224, device="cuda"), torch.randint(0, 1000, (16,), device="cuda")
    loss = F.cross_entropy(fast(x), y)
    loss.backward()
    optimizer.step()
    sched.step()
    optimizer.zero_grad(set_to_none=True)
