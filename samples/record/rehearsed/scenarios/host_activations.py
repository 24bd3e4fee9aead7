"""Activations go to pinned memory of the host in forward and come back in backward: saved_tensors_hooks for the blocks but not the head."""
import torch
from torch import nn


class SaveToHost(torch.autograd.graph.saved_tensors_hooks):
    def __init__(self, least=1 << 20):
        def pack(t):
            if not t.is_cuda or t.numel() * t.element_size() < least or isinstance(t, nn.Parameter):
                return t
            host = torch.empty(t.size(), dtype=t.dtype, layout=t.layout)
            host.copy_(t, non_blocking=True)
            return t.device, host

        def unpack(packed):
            if isinstance(packed, torch.Tensor):
                return packed
            device, host = packed
            return host.to(device, non_blocking=True)

        super().__init__(pack, unpack)


class Retention(nn.Module):
    def __init__(self, d, h=8):
        super().__init__()
        self.h, self.norm = h, nn.LayerNorm(d)
        self.q, self.k, self.v, self.g, self.o = (nn.Linear(d, d, bias=False) for _ in range(5))

    def forward(self, x):
        b, t, d = x.shape
        y = self.norm(x)
        q, k, v = (f(y).view(b, t, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        pos = torch.arange(t, device=x.device)
        decay = (0.97 ** (pos[:, None] - pos[None]).clamp(min=0)) * (pos[:, None] >= pos[None])
        return x + self.o((((q @ k.transpose(-1, -2)) * decay) @ v).transpose(1, 2).reshape(b, t, d) * torch.sigmoid(self.g(y)))


class LM(nn.Module):
    def __init__(self, v=9000, d=512, n=5):
        super().__init__()
        self.emb, self.layers, self.out = nn.Embedding(v, d), nn.ModuleList(Retention(d) for _ in range(n)), nn.Linear(d, v)

    def forward(self, ids):
        x = self.emb(ids)
        with SaveToHost():
            for l in self.layers:
                x = l(x)
        return self.out(x)


lm = LM().cuda()
adam = torch.optim.Adam(lm.parameters(), lr=3e-4)
for it in range(4):
    ids = torch.randint(9000, (4, 513)).cuda()
    adam.zero_grad()
    logits = lm(ids[:, :-1])
    nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).backward()
    adam.step()
