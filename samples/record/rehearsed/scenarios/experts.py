# Mixture of experts, top-1 with capacity (shapes do not depend on what the router says). Losses of the router added.
import torch, torch.nn as nn, torch.nn.functional as F

E, D, V = 8, 512, 10000

class MoE(nn.Module):
    def __init__(self, capacity_factor=1.25):
        super().__init__()
        self.gate = nn.Linear(D, E, bias=False)
        self.w1 = nn.Parameter(torch.randn(E, D, 4 * D) * 0.02)
        self.w2 = nn.Parameter(torch.randn(E, 4 * D, D) * 0.02)
        self.cf = capacity_factor
    def forward(self, x):
        s = x.view(-1, D)
        probs = F.softmax(self.gate(s), -1)
        cap = int(self.cf * s.size(0) / E)
        w, idx = probs.t().topk(cap, dim=1)                 # every expert takes `cap` tokens
        tokens = s[idx.reshape(-1)].view(E, cap, D)
        y = torch.bmm(F.gelu(torch.bmm(tokens, self.w1)), self.w2) * w[..., None]
        out = torch.zeros_like(s).index_add(0, idx.reshape(-1), y.view(-1, D))
        aux = (probs.mean(0) ** 2).sum() * E
        return out.view_as(x), aux

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln = nn.LayerNorm(D); self.att = nn.MultiheadAttention(D, 8, batch_first=True); self.ln2 = nn.LayerNorm(D); self.moe = MoE()
    def forward(self, x):
        h = self.ln(x)
        x = x + self.att(h, h, h, need_weights=False)[0]
        y, aux = self.moe(self.ln2(x))
        return x + y, aux

class Model(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.e = nn.Embedding(V, D); self.layers = nn.ModuleList([Layer() for _ in range(n)]); self.u = nn.Linear(D, V)
    def forward(self, t):
        x, total = self.e(t), 0.
        for l in self.layers:
            x, a = l(x); total = total + a
        return self.u(x), total

m = Model().to("cuda")
o = torch.optim.AdamW(m.parameters(), 1e-3, foreach=False)
accum = 2
for i in range(8):
    t = torch.randint(0, V, (4, 257), device="cuda")
    logits, aux = m(t[:, :-1])
    l = F.cross_entropy(logits.reshape(-1, V), t[:, 1:].reshape(-1)) + .01 * aux
    (l / accum).backward()
    if (i + 1) % accum == 0:
        o.step()
        o.zero_grad(set_to_none=True)
