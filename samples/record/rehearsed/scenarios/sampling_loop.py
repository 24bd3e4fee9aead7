"""A policy samples in a loop of its own and is trained on what it sampled. "grad": nobody said no_grad, so that the graph
of every token stays until the scores are dropped, after the training step; "no_grad": the same without it."""
import contextlib
import sys

import torch
from torch import nn
from torch.nn import functional as F

VOCAB, D, HEADS, LAYERS = 2000, 256, 4, 4


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.qkv, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.up, self.down = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x, memory):
        b, t, _ = x.shape
        q, k, v = (z.view(b, t, HEADS, -1).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        if memory is not None:
            if memory:
                k, v = torch.cat([memory[0], k], 2), torch.cat([memory[1], v], 2)
            memory[:] = [k, v]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=t > 1)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, D))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCAB, D)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(D), nn.Linear(D, VOCAB)

    def forward(self, words, memories=None):
        x = self.words(words)
        for i, layer in enumerate(self.layers):
            x = layer(x, None if memories is None else memories[i])
        return self.head(self.norm(x))


def play(policy, start, turns):
    memories, words, now, scores = [[] for _ in range(LAYERS)], start, start, []
    for _ in range(turns):
        odds = policy(now, memories)[:, -1].log_softmax(-1)
        now = odds.argmax(-1, keepdim=True)
        scores.append(odds.gather(-1, now))
        words = torch.cat([words, now], 1)
    return words, torch.cat(scores, 1)


policy = Policy().cuda()
optimizer = torch.optim.AdamW(policy.parameters())
for game in range(3):
    with torch.no_grad() if sys.argv[1] == "no_grad" else contextlib.nullcontext():
        words, scores = play(policy, torch.randint(VOCAB, (32, 64), device="cuda"), 6)
    logits = policy(words[:, :-1])
    taken = F.cross_entropy(logits.flatten(0, 1), words[:, 1:].flatten(), reduction="none")
    optimizer.zero_grad()
    (taken.view(32, -1)[:, -6:] * scores.detach().exp()).mean().backward()
    optimizer.step()
