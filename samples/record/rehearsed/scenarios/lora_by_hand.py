"""Adapters on a frozen bf16 decoder, written by hand; `q4` keeps the base as 4-bit codes with scales per 64 weights."""
import math
import sys

import torch
from torch import nn
import torch.nn.functional as F

DIM, DEPTH, VOCAB, SEQ = 1024, 4, 8000, 256


class PackedLinear(nn.Module):
    """uint8 codes, two weights in a byte; unpacked to bf16 at each use."""

    def __init__(self, n_in, n_out):
        super().__init__()
        self.shape = (n_out, n_in)
        self.register_buffer("codes", torch.zeros(n_in * n_out // 2, dtype=torch.uint8))
        self.register_buffer("absmax", torch.ones(n_in * n_out // 64))

    def dequantize(self):
        low, high = self.codes & 15, self.codes >> 4
        w = torch.stack((low, high), -1).view(-1, 64).to(torch.bfloat16) - 8
        return (w * self.absmax[:, None].to(torch.bfloat16)).view(self.shape)

    def forward(self, x):
        return MatMul4.apply(x, self)


class MatMul4(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, layer):
        ctx.layer = layer
        return x @ layer.dequantize().t()

    @staticmethod
    def backward(ctx, g):
        return g @ ctx.layer.dequantize(), None


class LoRA(nn.Module):
    def __init__(self, base, n_in, n_out, rank=16):
        super().__init__()
        self.base = base
        self.A = nn.Parameter(torch.empty(rank, n_in, dtype=torch.float32))
        self.B = nn.Parameter(torch.zeros(n_out, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))

    def forward(self, x):
        return self.base(x) + ((x.float() @ self.A.t()) @ self.B.t()).to(x.dtype) * 2.0


class Layer(nn.Module):
    def __init__(self, linear):
        super().__init__()
        wrap = lambda i, o: LoRA(linear(i, o), i, o)
        self.q, self.k, self.v, self.o = (wrap(DIM, DIM) for _ in range(4))
        self.up, self.down = wrap(DIM, 4 * DIM), wrap(4 * DIM, DIM)
        self.ln1, self.ln2 = nn.RMSNorm(DIM, dtype=torch.bfloat16), nn.RMSNorm(DIM, dtype=torch.bfloat16)

    def forward(self, h):
        b, t, _ = h.shape
        z = self.ln1(h)
        q, k, v = (f(z).view(b, t, 16, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, DIM)
        h = h + self.o(a)
        return h + self.down(F.silu(self.up(self.ln2(h))))


class Net(nn.Module):
    def __init__(self, linear):
        super().__init__()
        self.wte = nn.Embedding(VOCAB, DIM, dtype=torch.bfloat16)
        self.layers = nn.ModuleList([Layer(linear) for _ in range(DEPTH)])
        self.lm_head = nn.Linear(DIM, VOCAB, bias=False, dtype=torch.bfloat16)

    def forward(self, ids):
        h = self.wte(ids)
        for layer in self.layers:
            h = layer(h)
        return self.lm_head(h)


def finetune(kind):
    linear = PackedLinear if kind == "q4" else lambda i, o: nn.Linear(i, o, bias=False, dtype=torch.bfloat16)
    net = Net(linear).to("cuda")
    for name, p in net.named_parameters():
        p.requires_grad = name.endswith((".A", ".B"))
    trainable = [p for p in net.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=2e-4, weight_decay=0.0)
    for _ in range(4):
        ids = torch.randint(VOCAB, (4, SEQ)).cuda()
        logits = net(ids).float()
        loss = F.cross_entropy(logits[:, :-1].reshape(-1, VOCAB), ids[:, 1:].reshape(-1))
        loss.backward()
        opt.step()
        opt.zero_grad()


if __name__ == "__main__":
    finetune(sys.argv[1] if len(sys.argv) > 1 else "bf16")
