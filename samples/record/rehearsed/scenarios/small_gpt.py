# Plain language model, everything in one file at module level.
import math, sys
import torch
import torch.nn as nn
import torch.nn.functional as F

V, C, H, L, T = 16384, 512, 8, 4, 512
B = int(sys.argv[2]) if len(sys.argv) > 2 else 8

class SelfAttn(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(C, 3 * C)
        self.out = nn.Linear(C, C)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(C, dim=2)
        q, k, v = (z.view(b, t, H, c // H).transpose(1, 2) for z in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).contiguous().view(b, t, c))

class Blk(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.sa = SelfAttn()
        self.ff = nn.Sequential(nn.Linear(C, 4 * C), nn.GELU(), nn.Linear(4 * C, C), nn.Dropout(0.1))

    def forward(self, x):
        x = x + self.sa(self.n1(x))
        return x + self.ff(self.n2(x))

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, C), nn.Embedding(T, C)
        self.blks = nn.ModuleList(Blk() for _ in range(L))
        self.norm = nn.LayerNorm(C)
        self.head = nn.Linear(C, V, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, idx, targets=None):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1], device=idx.device))
        for b in self.blks:
            x = b(x)
        logits = self.head(self.norm(x))
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits.view(-1, V), targets.view(-1))

def get_batch(bs=B, length=T):
    d = torch.randint(0, V, (bs, length + 1))
    return d[:, :-1].cuda(), d[:, 1:].cuda()

# what is done differently from a clean run: given on the command line
variant = sys.argv[1] if len(sys.argv) > 1 else "clean"
model = LM().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=variant == "fused" or None,
                        foreach={"loop": False, "foreach": True}.get(variant))
seen, graphs = [], []
for it in range(int(sys.argv[3]) if len(sys.argv) > 3 else 5):
    xb, yb = get_batch(length=[512, 320, 448, 128, 384][it]) if variant == "flush" else get_batch()
    if variant == "autocast":
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits, loss = model(xb, yb)
    else:
        logits, loss = model(xb, yb)
    if variant == "late_zero":
        opt.zero_grad()
    if variant == "keep_buffers":
        opt.zero_grad(set_to_none=False)
    loss.backward()
    if variant == "clip":
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if variant not in ("late_zero", "never_zero", "keep_buffers"):
        opt.zero_grad(set_to_none=True)
    if variant == "flush":
        del logits
        torch.cuda.empty_cache()
    if variant == "loss_list":
        seen.append(loss)
    if variant == "graph_list":
        graphs.append(model(xb[:1], yb[:1])[1])
print("done", loss.item())
