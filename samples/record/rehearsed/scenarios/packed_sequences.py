"""Examples of many lengths packed into one row without padding; block-diagonal attention, rotary tables in a cache, weights tied, two groups of parameters."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(7)
V, D, H, L, MAX = 24000, 448, 7, 4, 2048


def rope_cache(n, d, device):
    t = torch.outer(torch.arange(n, device=device).float(), 1.0 / 10000 ** (torch.arange(0, d, 2, device=device).float() / d))
    return torch.stack((t.cos(), t.sin()))


def rotate(x, cache, pos):
    c, s = cache[0][pos], cache[1][pos]
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2)


class L_(nn.Module):
    def __init__(self):
        super().__init__()
        self.i, self.o = nn.Linear(D, 3 * D, bias=False), nn.Linear(D, D, bias=False)
        self.f1, self.f2 = nn.Linear(D, 8 * D, bias=False), nn.Linear(4 * D, D, bias=False)
        self.s1, self.s2 = nn.Parameter(torch.ones(D)), nn.Parameter(torch.ones(D))

    def forward(self, x, mask, rope, pos):
        y = F.rms_norm(x, (D,), self.s1)
        q, k, v = self.i(y).view(-1, 3, H, D // H).permute(1, 2, 0, 3)
        q, k = rotate(q, rope, pos), rotate(k, rope, pos)
        x = x + self.o(F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask)[0].transpose(0, 1).reshape(-1, D))
        a, g = self.f1(F.rms_norm(x, (D,), self.s2)).chunk(2, -1)
        return x + self.f2(a * F.silu(g))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.E, self.B = nn.Embedding(V, D), nn.ModuleList(L_() for _ in range(L))
        self.rope = None

    def forward(self, ids, seg, pos):
        if self.rope is None:
            self.rope = rope_cache(MAX, D // H, ids.device)
        mask = (seg[:, None] == seg[None]) & (torch.arange(len(seg), device=seg.device)[:, None] >= torch.arange(len(seg), device=seg.device)[None])
        x = self.E(ids)
        for b in self.B:
            x = b(x, mask, self.rope, pos)
        return x @ self.E.weight.T


def pack(budget=1024):
    ids, seg, pos = [], [], []
    while len(ids) < budget:
        n = min(random.randint(16, 300), budget - len(ids))
        seg += [len(set(seg))] * n
        pos += range(n)
        ids += [random.randrange(V) for _ in range(n)]
    return (torch.tensor(t).pin_memory().cuda(non_blocking=True) for t in (ids, seg, pos))


net = Net().cuda()
o = torch.optim.AdamW([{"params": [p for p in net.parameters() if p.ndim > 1], "weight_decay": .1}, {"params": [p for p in net.parameters() if p.ndim < 2], "weight_decay": 0}],
                      lr=6e-4, foreach=True)
for step in range(4):
    for _ in range(2):
        ids, seg, pos = pack(1024 if step % 2 else 896)
        with torch.autocast("cuda", torch.bfloat16):
            lg = net(ids, seg, pos)
        (F.cross_entropy(lg.float()[:-1], ids[1:].masked_fill(seg[1:] != seg[:-1], -100)) / 2).backward()
    o.step()
    o.zero_grad()
