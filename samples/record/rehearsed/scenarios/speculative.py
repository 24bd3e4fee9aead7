"""Inference alone: a draft model proposes, the large model verifies, both with preallocated caches; then beam search with reordered caches."""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, d, h, bs, length):
        super().__init__()
        self.h, self.wq, self.wkv, self.wo = h, nn.Linear(d, d, bias=False), nn.Linear(d, 2 * d, bias=False), nn.Linear(d, d, bias=False)
        self.register_buffer("ck", torch.zeros(bs, h, length, d // h), persistent=False)
        self.register_buffer("cv", torch.zeros(bs, h, length, d // h), persistent=False)

    def forward(self, x, at):
        b, t, d = x.shape
        q = self.wq(x).view(b, t, self.h, -1).transpose(1, 2)
        k, v = self.wkv(x).view(b, t, 2, self.h, -1).permute(2, 0, 3, 1, 4)
        self.ck[:b, :, at:at + t], self.cv[:b, :, at:at + t] = k, v
        y = F.scaled_dot_product_attention(q, self.ck[:b, :, :at + t], self.cv[:b, :, :at + t], is_causal=at == 0)
        return self.wo(y.transpose(1, 2).reshape(b, t, d))


class Decoder(nn.Module):
    def __init__(self, v, d, n, h, bs, length):
        super().__init__()
        self.e = nn.Embedding(v, d)
        self.l = nn.ModuleList(nn.ModuleList([nn.LayerNorm(d), Attention(d, h, bs, length), nn.LayerNorm(d),
                                              nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))]) for _ in range(n))
        self.n, self.o = nn.LayerNorm(d), nn.Linear(d, v, bias=False)

    def forward(self, ids, at):
        x = self.e(ids)
        for n1, a, n2, f in self.l:
            x = x + a(n1(x), at)
            x = x + f(n2(x))
        return self.o(self.n(x))


@torch.inference_mode()
def speculate(big, small, prompt, rounds=6, gamma=4):
    ids = prompt
    big(ids, 0); small(ids, 0)
    for _ in range(rounds):
        at, draft, probs = ids.size(1), ids[:, -1:], []
        for g in range(gamma):
            p = small(draft[:, -1:], at + g - 1)[:, -1].softmax(-1)
            probs.append(p)
            draft = torch.cat([draft, torch.multinomial(p, 1)], 1)
        target = big(draft, at - 1).softmax(-1)
        ratio = target[:, :gamma].gather(2, draft[:, 1:, None]) / torch.stack(probs, 1).gather(2, draft[:, 1:, None])
        ratio.clamp(max=1.0)
        ids = torch.cat([ids, draft[:, 1:3]], 1)
    return ids


@torch.inference_mode()
def beam(model, prompt, beams=4, new=10):
    b = prompt.size(0)
    seqs = prompt.repeat_interleave(beams, 0)
    logits, scores = model(seqs, 0)[:, -1], torch.zeros(b, beams, device="cuda")
    for t in range(new):
        total = scores[..., None] + logits.log_softmax(-1).view(b, beams, -1)
        scores, flat = total.view(b, -1).topk(beams)
        src = flat // total.size(-1) + torch.arange(b, device="cuda")[:, None] * beams
        seqs = torch.cat([seqs[src.view(-1)], (flat % total.size(-1)).view(-1, 1)], 1)
        for layer in model.l:
            for name in ("ck", "cv"):
                setattr(layer[1], name, getattr(layer[1], name).index_select(0, src.view(-1)))
        logits = model(seqs[:, -1:], seqs.size(1) - 1)[:, -1]
    return seqs


large = Decoder(16000, 768, 6, 12, 32, 320).half().cuda().eval()
if sys.argv[1] == "draft":
    tiny = Decoder(16000, 256, 2, 4, 32, 320).half().cuda().eval()
    for _ in range(2):
        speculate(large, tiny, torch.randint(0, 16000, (32, 200), device="cuda"))
else:
    for _ in range(2):
        beam(large, torch.randint(0, 16000, (8, 200), device="cuda"))
