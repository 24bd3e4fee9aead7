"""1,000 steps of a small GPT on texts of changing length; every loss is kept as a tensor for a plot at the end (--items: as a number)."""
import sys

import torch
import torch.nn.functional as F
from torch import nn

STEPS = 1000


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = (part.view(rows, length, self.heads, -1).transpose(1, 2) for part in self.attn(self.ln_1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(rows, length, width))
        return x + self.down(F.gelu(self.up(self.ln_2(x))))


class Gpt(nn.Module):
    def __init__(self, vocabulary=50257, width=512, layers=6, heads=8):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(1024, width)
        self.blocks, self.norm = nn.ModuleList(Block(width, heads) for _ in range(layers)), nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def main():
    torch.manual_seed(0)
    model = Gpt().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, fused=True)
    losses = []
    for step in range(STEPS):
        length = 128 + 64 * int(torch.randint(0, 7, ()))
        ids = torch.randint(0, 50257, (8, length + 1)).cuda()
        loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item() if "--items" in sys.argv else loss)
        if step % 50 == 0:
            print(f"iter {step}: loss {loss.item():.4f}, mem {torch.cuda.memory_allocated() / 2**20:.1f}MB", flush=True)


main()
