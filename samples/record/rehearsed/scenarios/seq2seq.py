"""T5-like encoder and decoder with relative bias, Adafactor, label padding; teacher forcing."""
import sys

import torch
from torch import nn


class RelAttention(nn.Module):
    def __init__(self, d, heads, bias_table=None):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.table = nn.Embedding(64, heads) if bias_table else None

    def shape(self, x):
        return x.view(x.size(0), -1, self.heads, x.size(-1) // self.heads).transpose(1, 2)

    def forward(self, x, kv=None, causal=False, bias=None):
        kv = x if kv is None else kv
        q, k, v = self.shape(self.q(x)), self.shape(self.k(kv)), self.shape(self.v(kv))
        scores = q @ k.transpose(-1, -2)
        if self.table is not None:
            rel = (torch.arange(k.size(2), device=x.device)[None] - torch.arange(q.size(2), device=x.device)[:, None]).clamp(-31, 32) + 31
            bias = self.table(rel).permute(2, 0, 1)[None]
        if bias is not None:
            scores = scores + bias
        if causal:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1), -1e4)
        y = torch.softmax(scores.float(), -1).type_as(scores) @ v
        return self.o(y.transpose(1, 2).reshape(x.shape)), bias


class Half(nn.Module):
    def __init__(self, d, heads, layers, cross):
        super().__init__()
        self.sa = nn.ModuleList(RelAttention(d, heads, i == 0) for i in range(layers))
        self.ca = nn.ModuleList(RelAttention(d, heads) for _ in range(layers)) if cross else None
        self.wi = nn.ModuleList(nn.Linear(d, 3 * d, bias=False) for _ in range(layers))
        self.wo = nn.ModuleList(nn.Linear(3 * d, d, bias=False) for _ in range(layers))
        self.norms = nn.ModuleList(nn.RMSNorm(d) for _ in range(3 * layers + 1))

    def forward(self, x, memory=None):
        bias = None
        for i in range(len(self.sa)):
            y, bias = self.sa[i](self.norms[3 * i](x), causal=memory is not None, bias=bias)
            x = x + y
            if memory is not None:
                x = x + self.ca[i](self.norms[3 * i + 1](x), memory)[0]
            x = x + self.wo[i](torch.relu(self.wi[i](self.norms[3 * i + 2](x))))
        return self.norms[-1](x)


class T5(nn.Module):
    def __init__(self, vocab=16000, d=512, heads=8, layers=2):
        super().__init__()
        self.shared = nn.Embedding(vocab, d)
        self.encoder, self.decoder = Half(d, heads, layers, False), Half(d, heads, layers, True)
        self.lm_head = nn.Linear(d, vocab, bias=False)

    def forward(self, src, tgt):
        memory = self.encoder(self.shared(src))
        start = torch.cat((torch.zeros_like(tgt[:, :1]), tgt[:, :-1]), 1)
        logits = self.lm_head(self.decoder(self.shared(start), memory))
        return nn.functional.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=-100)


def main():
    torch.manual_seed(0)
    net = T5().cuda()
    factory = {"adafactor": lambda p: torch.optim.Adafactor(p, lr=1e-2), "adamax": lambda p: torch.optim.Adamax(p)}
    optim = factory[sys.argv[1] if len(sys.argv) > 1 else "adafactor"](net.parameters())
    sched = torch.optim.lr_scheduler.LambdaLR(optim, lambda s: min(1, (s + 1) / 3))
    for src_len, tgt_len in ((128, 64), (96, 64), (160, 32), (128, 80)):
        loss = net(torch.randint(1, 16000, (8, src_len)).cuda(), torch.randint(1, 16000, (8, tgt_len)).cuda())
        optim.zero_grad()
        loss.backward()
        optim.step()
        sched.step()


main()
