"""Inference: features of a gallery are kept on the GPU as an index, queries are searched in it in chunks; then a probe is trained on them."""
import sys

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


class Encoder(nn.Module):
    def __init__(self, d=768, depth=6, patch=16):
        super().__init__()
        self.patch = nn.Conv2d(3, d, patch, patch)
        self.cls, self.pos = nn.Parameter(torch.zeros(1, 1, d)), nn.Parameter(torch.zeros(1, 197, d))
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(d, 12, 4 * d, 0.0, "gelu", batch_first=True, norm_first=True) for _ in range(depth))
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1) + self.pos
        for b in self.blocks:
            x = b(x)
        return self.norm(x)[:, 0]


class Index:
    def __init__(self, dim):
        self.dim, self.chunks, self.ids = dim, [], []

    def add(self, v, ids):
        self.chunks.append(nn.functional.normalize(v, dim=1))
        self.ids.append(ids)

    def build(self):
        self.xb, self.labels = torch.cat(self.chunks), torch.cat(self.ids)
        self.chunks.clear()
        self.ids.clear()

    def search(self, q, k=10, chunk=4096):
        best = torch.full((len(q), k), -1e9, device=q.device)
        idx = torch.zeros((len(q), k), dtype=torch.long, device=q.device)
        for s in range(0, len(self.xb), chunk):
            sim = q @ self.xb[s:s + chunk].T
            v, i = torch.cat([best, sim], 1).topk(k)
            best, idx = v, torch.cat([idx, torch.arange(s, s + sim.size(1), device=q.device).expand(len(q), -1)], 1).gather(1, i)
        return best, idx


@torch.inference_mode()
def embed_all(net, n, bs):
    index = Index(768)
    for s in range(0, n, bs):
        with torch.autocast("cuda", torch.bfloat16):
            f = net(torch.rand(bs, 3, 224, 224, device="cuda"))
        index.add(f.float(), torch.arange(s, s + bs, device="cuda"))
    index.build()
    return index


net = Encoder().cuda().eval()
index = embed_all(net, 1536, 64)
# As if the gallery were larger: the rest was computed before and is read from disk.
extra = torch.nn.functional.normalize(torch.rand(60_000, 768), dim=1).to("cuda")
index.xb = torch.cat([index.xb, extra])
del extra
with torch.inference_mode():
    for _ in range(4):
        index.search(net(torch.rand(64, 3, 224, 224, device="cuda")))
if "probe" in sys.argv:
    probe = nn.Linear(768, 1000).cuda()
    sgd = torch.optim.SGD(probe.parameters(), lr=0.3, momentum=0.9)
    x = index.xb.clone()
    y = torch.randint(1000, (len(x),), device="cuda")
    for epoch in range(2):
        for rows in torch.randperm(len(x), device="cuda").split(16384):
            sgd.zero_grad()
            nn.functional.cross_entropy(probe(x[rows]), y[rows]).backward()
            sgd.step()
