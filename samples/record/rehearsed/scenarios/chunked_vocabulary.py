"""Long context: the loss goes over the sequence in chunks, each with its own little graph, gradients of the hidden states are collected; layers are checkpointed."""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

hw = sys.modules.get("highwater_labels")


class ChunkedCE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, labels, size):
        grad_h, grad_w, total = torch.empty_like(hidden), torch.zeros_like(weight), hidden.new_zeros(())
        for s in range(0, hidden.size(0), size):
            h, y = hidden[s:s + size], labels[s:s + size]
            with torch.enable_grad():
                hh, ww = h.detach().requires_grad_(), weight.detach().requires_grad_()
                loss = F.cross_entropy((hh @ ww.t()).float(), y, reduction="sum")
            gh, gw = torch.autograd.grad(loss, (hh, ww))
            if hw:
                hw.mark(gw, "gradient")
            grad_h[s:s + size] = gh
            grad_w += gw
            total += loss.detach()
        ctx.save_for_backward(grad_h, grad_w)
        return total / hidden.size(0)

    @staticmethod
    def backward(ctx, g):
        gh, gw = ctx.saved_tensors
        return gh * g, gw * g, None, None


class Layer(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.a, self.b = h, nn.RMSNorm(d), nn.RMSNorm(d)
        self.wqkv, self.wo = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.w1, self.w2 = nn.Linear(d, 3 * d, bias=False), nn.Linear(3 * d, d, bias=False)

    def forward(self, x):
        t, d = x.shape
        q, k, v = self.wqkv(self.a(x)).view(1, t, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        x = x + self.wo(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(t, d))
        return x + self.w2(F.relu(self.w1(self.b(x))).square())


class LongLM(nn.Module):
    def __init__(self, v=32000, d=512, n=5):
        super().__init__()
        self.wte = nn.Embedding(v, d)
        self.layers = nn.ModuleList(Layer(d, 8) for _ in range(n))
        self.lm_head = nn.Linear(d, v, bias=False)

    def forward(self, ids, labels):
        x = self.wte(ids)
        for l in self.layers:
            x = checkpoint(l, x, use_reentrant=False)
        return ChunkedCE.apply(x, self.lm_head.weight, labels, 1024)


torch.set_default_dtype(torch.bfloat16)
model = LongLM().to("cuda")
optim = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
for step in range(4):
    toks = torch.randint(0, 32000, (8193,), device="cuda")
    loss = model(toks[:-1], toks[1:])
    loss.backward()
    optim.step()
    optim.zero_grad(set_to_none=True)
