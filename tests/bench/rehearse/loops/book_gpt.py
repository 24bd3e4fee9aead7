"""A GPT-2 of 163 M parameters with an untied head, as a book writes it from single operations: book_gpt.py STAGE.

STAGE 0 keeps a mask in every layer and trains in fp32; 1 makes the mask when it is needed and uses fused AdamW; 2 has
bf16 weights; 3 uses PyTorch's LayerNorm and GELU; 4 uses PyTorch's attention. Batch 8 of 1024 tokens, dropout 0.1.
"""
import math
import sys

import torch
from torch import nn
from torch.nn import functional

from measured import printed

STAGE = int(sys.argv[1])
WIDTH, HEADS, LAYERS, LENGTH, VOCABULARY = 768, 12, 12, 1024, 50257


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.scale * ((x - mean) / torch.sqrt(variance + 1e-5)) + self.shift


class Gelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(torch.sqrt(torch.tensor(2.0 / math.pi)) * (x + 0.044715 * torch.pow(x, 3))))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.out, self.dropout = nn.Linear(WIDTH, WIDTH), nn.Dropout(0.1)
        if STAGE == 0:
            self.register_buffer("mask", torch.triu(torch.ones(LENGTH, LENGTH), diagonal=1))

    def forward(self, x):
        batch, length, _ = x.shape
        keys, values, queries = self.key(x), self.value(x), self.query(x)
        keys, values, queries = (
            part.view(batch, length, HEADS, -1).transpose(1, 2) for part in (keys, values, queries))
        if STAGE >= 4:
            mixed = functional.scaled_dot_product_attention(queries, keys, values, dropout_p=0.1, is_causal=True)
        else:
            scores = queries @ keys.transpose(2, 3)
            if STAGE == 0:
                mask = self.mask.bool()[:length, :length]
            else:
                mask = torch.triu(torch.ones(length, length, dtype=torch.bool, device=x.device), diagonal=1)
            scores.masked_fill_(mask, -torch.inf)
            weights = self.dropout(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1))
            mixed = weights @ values
        return self.out(mixed.transpose(1, 2).contiguous().view(batch, length, WIDTH))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        norm, gelu = (nn.LayerNorm, lambda: nn.GELU(approximate="tanh")) if STAGE >= 3 else (lambda _: Norm(), Gelu)
        self.attention, self.norm1, self.norm2 = Attention(), norm(WIDTH), norm(WIDTH)
        self.inner = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), gelu(), nn.Linear(4 * WIDTH, WIDTH))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        shortcut = x
        x = self.dropout(self.attention(self.norm1(x))) + shortcut
        shortcut = x
        return self.dropout(self.inner(self.norm2(x))) + shortcut


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.dropout, self.blocks = nn.Dropout(0.1), nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH) if STAGE >= 3 else Norm()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1], device=ids.device))
        return self.head(self.norm(self.blocks(self.dropout(x))))


def loss_of(model):
    ids = torch.randint(0, VOCABULARY, (8, LENGTH)).cuda()
    targets = torch.randint(0, VOCABULARY, (8, LENGTH)).cuda()
    return functional.cross_entropy(model(ids).flatten(0, 1), targets.flatten())


network = Gpt().to("cuda")
if STAGE >= 2:
    network = network.to(torch.bfloat16)
optimizer = torch.optim.AdamW(network.parameters(), lr=5e-4, weight_decay=0.1, fused=True if STAGE >= 1 else None)
for index in range(4):
    network.train()
    optimizer.zero_grad()
    loss = loss_of(network)
    loss.backward()
    optimizer.step()
    if index % 3 == 0:
        network.eval()
        with torch.no_grad():
            loss_of(network)
printed("run")
