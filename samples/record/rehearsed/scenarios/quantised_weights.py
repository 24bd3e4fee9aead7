"""Weights are int8 buffers with a scale for each row, dequantised where they are used (and again in backward); adapters and norms are trained."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class DequantMatmul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, q, s):
        ctx.save_for_backward(q, s)
        return x @ (q.to(x.dtype) * s.to(x.dtype)).t()

    @staticmethod
    def backward(ctx, g):
        q, s = ctx.saved_tensors
        return g @ (q.to(g.dtype) * s.to(g.dtype)), None, None


class W8Linear(nn.Module):
    def __init__(self, i, o, r=8):
        super().__init__()
        w = torch.randn(o, i) / i**0.5
        s = w.abs().amax(1, keepdim=True) / 127
        self.register_buffer("qweight", (w / s).round().to(torch.int8))
        self.register_buffer("scales", s)
        self.down, self.up = nn.Parameter(torch.randn(r, i) * 0.01), nn.Parameter(torch.zeros(o, r))

    def forward(self, x):
        return DequantMatmul.apply(x, self.qweight, self.scales) + F.linear(F.linear(x, self.down), self.up)


class GatedBlock(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.n1, self.n2 = nn.RMSNorm(d), nn.RMSNorm(d)
        self.qkv, self.o = W8Linear(d, 3 * d), W8Linear(d, d)
        self.gate, self.up, self.down = W8Linear(d, 3 * d), W8Linear(d, 3 * d), W8Linear(3 * d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        x = x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d))
        y = self.n2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Model(nn.Module):
    def __init__(self, v=16000, d=1024, n=4):
        super().__init__()
        self.tok = nn.Embedding(v, d).requires_grad_(False)
        self.blocks = nn.ModuleList(GatedBlock(d, 16) for _ in range(n))
        self.norm, self.head = nn.RMSNorm(d), W8Linear(d, v)

    def forward(self, ids):
        x = self.tok(ids)
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


m = Model()
m.tok.half()
m = m.cuda()
opt = torch.optim.AdamW((p for p in m.parameters() if p.requires_grad), lr=1e-4)
scaler = torch.amp.GradScaler("cuda")
for i in range(4):
    ids = torch.randint(0, 16000, (2, 257), device="cuda")
    with torch.autocast("cuda", torch.float16):
        loss = F.cross_entropy(m(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
