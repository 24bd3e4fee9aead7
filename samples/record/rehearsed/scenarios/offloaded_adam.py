"""Adam's state lives in host memory; gradients go there, updated weights come back."""
import torch
from torch import nn


class HostAdam:
    def __init__(self, module, lr=1e-3):
        self.pairs = [(p, nn.Parameter(p.detach().cpu().clone())) for p in module.parameters()]
        self.inner = torch.optim.Adam([h for _, h in self.pairs], lr=lr)

    def step(self):
        for p, h in self.pairs:
            h.grad = torch.zeros_like(h)
            h.grad.copy_(p.grad, non_blocking=True)
            p.grad = None
        self.inner.step()
        for p, h in self.pairs:
            p.data.copy_(h.data, non_blocking=True)


translator = nn.Transformer(512, 8, 2, 2, 2048, batch_first=True, dropout=0.0).cuda()
embed = nn.Embedding(6000, 512).cuda()
class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.core = embed, translator
    def forward(self, a, b):
        return self.core(self.embed(a), self.embed(b)) @ self.embed.weight.t()
whole = Whole()
adam = HostAdam(whole)
for _ in range(4):
    a, b = torch.randint(6000, (2, 8, 100)).cuda()
    nn.functional.cross_entropy(whole(a, b).transpose(1, 2), b).backward()
    adam.step()
