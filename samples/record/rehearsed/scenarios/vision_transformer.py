import torch, time, sys
from torch import nn, einsum
from functools import partial

# ViT; einsum attention, stochastic depth left out. usage: [math|fp16|ckpt|ls]
def pair(t): return t if isinstance(t, tuple) else (t, t)

class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__(); self.norm = nn.LayerNorm(dim); self.fn = fn
    def forward(self, x, **kw): return self.fn(self.norm(x), **kw)

class MLP(nn.Sequential):
    def __init__(self, dim, hidden): super().__init__(nn.Linear(dim, hidden), nn.GELU(), nn.Dropout(.1), nn.Linear(hidden, dim), nn.Dropout(.1))

class MHSA(nn.Module):
    def __init__(self, dim, heads=6):
        super().__init__(); self.heads = heads; self.scale = (dim // heads) ** -.5
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False); self.proj = nn.Linear(dim, dim)
    def forward(self, x):
        q, k, v = [t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.to_qkv(x).chunk(3, dim=-1)]
        if MODE == "sdpa":
            o = nn.functional.scaled_dot_product_attention(q, k, v)
        else:
            attn = (einsum("bhid,bhjd->bhij", q, k) * self.scale).softmax(dim=-1)
            o = einsum("bhij,bhjd->bhid", attn, v)
        return self.proj(o.transpose(1, 2).flatten(2))

class ViT(nn.Module):
    def __init__(self, image=192, patch=16, dim=384, depth=4, classes=100):
        super().__init__()
        n = (pair(image)[0] // patch) ** 2
        self.patch = nn.Conv2d(3, dim, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim)); self.pos = nn.Parameter(torch.randn(1, n + 1, dim) * .02)
        self.blocks = nn.ModuleList([nn.ModuleList([PreNorm(dim, MHSA(dim)), PreNorm(dim, MLP(dim, dim * 4))]) for _ in range(depth)])
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, classes))
    def block(self, i, x):
        a, f = self.blocks[i]; x = a(x) + x; return f(x) + x
    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), dim=1) + self.pos
        for i in range(len(self.blocks)):
            x = torch.utils.checkpoint.checkpoint(self.block, i, x, use_reentrant=REENTRANT) if MODE.startswith("ckpt") else self.block(i, x)
        return self.head(x[:, 0])

MODE = sys.argv[1] if len(sys.argv) > 1 else "math"
REENTRANT = MODE == "ckpt_reentrant"
import torch.utils.checkpoint

vit = ViT().cuda()
loss_fn = nn.CrossEntropyLoss(label_smoothing=.1)
optimizer = torch.optim.NAdam(vit.parameters(), 3e-4) if MODE != "fp16" else torch.optim.SGD(vit.parameters(), .1, momentum=.9)
scaler = torch.amp.GradScaler("cuda", enabled=MODE == "fp16")

def train_one_batch(x, y):
    optimizer.zero_grad()
    with torch.autocast("cuda", torch.float16, enabled=MODE == "fp16"):
        loss = loss_fn(vit(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(vit.parameters(), 1.)
    scaler.step(optimizer)
    scaler.update()
    return loss.detach()

hist = []
for _ in range(4):
    t0 = time.time()
    hist.append(train_one_batch(torch.rand(24, 3, 192, 192).cuda(), torch.randint(100, (24,)).cuda()))
print(time.time() - t0)
