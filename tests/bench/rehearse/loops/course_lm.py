"""The transformer of a course (CS336) written from einsums: course_lm.py SIZE DTYPE PASS, such as small bf16 both.

Token ids pass a one-hot product, attention and loss are written out. Without a backward pass the last graph is alive
while the next one is built. fp32 weights; bf16 means autocast around the forward. Each step is repeated six times.
"""
import contextlib
import math
import sys

import torch
from torch import nn
from torch.nn import functional

from measured import printed

SIZES = {"small": (768, 12, 12, 3072, 64), "large": (1280, 36, 20, 5120, 32)}
WIDTH, LAYERS, HEADS, INNER, BATCH = SIZES[sys.argv[1]]
VOCABULARY, LENGTH = 10000, 256


class Linear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs, device="cuda"))

    def forward(self, x):
        return torch.einsum("... i, o i -> ... o", x, self.weight)


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(VOCABULARY, WIDTH, device="cuda"))

    def forward(self, ids):
        chosen = functional.one_hot(ids.clamp(0, VOCABULARY - 1), num_classes=VOCABULARY).to(self.weight.dtype)
        return chosen @ self.weight


class RmsNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(WIDTH, device="cuda"))

    def forward(self, x):
        kind = x.dtype
        x = x.to(torch.float32)
        root = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + 1e-5)
        normed = x / root
        out = normed * self.gain
        return out.to(kind)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.three = Linear(WIDTH, INNER), Linear(INNER, WIDTH), Linear(WIDTH, INNER)

    def forward(self, x):
        gate = self.one(x)
        open_gate = gate * torch.sigmoid(gate)
        linear = self.three(x)
        product = open_gate * linear
        return self.two(product)


class Rotation(nn.Module):
    def __init__(self, size):
        super().__init__()
        steps = 1.0 / 10000 ** (torch.arange(0, size, 2, device="cuda") / size)
        angles = torch.arange(LENGTH, device="cuda").unsqueeze(-1) * steps.unsqueeze(0)
        self.register_buffer("cos", torch.cos(angles).repeat_interleave(2, dim=-1))
        self.register_buffer("sin", torch.sin(angles).repeat_interleave(2, dim=-1))

    def forward(self, x, positions):
        cos, sin = self.cos[positions].unsqueeze(1), self.sin[positions].unsqueeze(1)
        even, odd = x[..., 0::2], x[..., 1::2]
        turned_even = even * cos[..., 0::2] - odd * sin[..., 0::2]
        turned_odd = even * sin[..., 1::2] + odd * cos[..., 1::2]
        return torch.stack([turned_even, turned_odd], dim=-1).flatten(start_dim=-2)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (Linear(WIDTH, WIDTH) for _ in range(4))
        self.rotation = Rotation(WIDTH // HEADS)
        self.register_buffer("mask", torch.tril(torch.ones(LENGTH, LENGTH, dtype=torch.bool, device="cuda")))

    def forward(self, x, positions):
        batch, length, _ = x.shape
        q, k, v = self.query(x), self.key(x), self.value(x)
        q, k, v = (part.view(batch, length, HEADS, -1).transpose(1, 2) for part in (q, k, v))
        q, k = self.rotation(q, positions), self.rotation(k, positions)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(WIDTH // HEADS)
        scores = scores.masked_fill(self.mask[:length, :length] == 0, float("-inf"))
        weights = functional.softmax(scores, dim=-1)
        mixed = torch.matmul(weights, v)
        return self.out(mixed.transpose(1, 2).contiguous().view(batch, length, WIDTH))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2, self.attention, self.inner = RmsNorm(), RmsNorm(), Attention(), Gated()

    def forward(self, x, positions):
        normed = self.norm1(x)
        mixed = self.attention(normed, positions)
        x = x + mixed
        normed_again = self.norm2(x)
        inner = self.inner(normed_again)
        return x + inner


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = Tokens()
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm, self.head = RmsNorm(), Linear(WIDTH, VOCABULARY)

    def forward(self, ids):
        x = self.tokens(ids)
        positions = torch.arange(ids.shape[1], device="cuda").unsqueeze(0).expand(ids.shape[0], -1)
        for block in self.blocks:
            x = block(x, positions)
        return self.head(self.norm(x))


def loss_of(logits, targets):
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    total = shifted.exp().sum(dim=-1).log()
    chosen = shifted.gather(dim=-1, index=targets.unsqueeze(-1)).squeeze(-1)
    losses = -(chosen - total)
    return losses.mean()


both, model = sys.argv[3] == "both", Language().train()
inputs, targets = (torch.randint(0, VOCABULARY, (BATCH, LENGTH), device="cuda") for _ in range(2))
autocast = torch.autocast("cuda", dtype=torch.bfloat16) if sys.argv[2] == "bf16" else contextlib.nullcontext()
for _ in range(6):
    with autocast:
        logits = model(inputs)
        if both:
            loss = loss_of(logits.view(-1, VOCABULARY), targets.view(-1))
    if both:
        loss.backward()
        model.zero_grad()
    torch.cuda.synchronize()
printed("run")
