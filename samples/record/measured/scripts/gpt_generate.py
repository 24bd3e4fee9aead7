"""Sampling loop with a KV cache by hand, top-k, then the text is printed"""
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
d, h, layers, vocab = 1024, 16, 12, 32000
emb, head = nn.Embedding(vocab, d).cuda().half(), nn.Linear(d, vocab, bias=False).cuda().half()
qkv = nn.ModuleList(nn.Linear(d, 3 * d) for _ in range(layers)).cuda().half()
out = nn.ModuleList(nn.Linear(d, d) for _ in range(layers)).cuda().half()
cache = [None] * layers
@torch.no_grad()
def step(ids):
    x = emb(ids)
    for i in range(layers):
        b, t, _ = x.shape
        q, k, v = (y.view(b, t, h, d // h).transpose(1, 2) for y in qkv[i](x).chunk(3, -1))
        if cache[i] is not None: k, v = torch.cat([cache[i][0], k], 2), torch.cat([cache[i][1], v], 2)
        cache[i] = (k, v)
        x = x + out[i](F.scaled_dot_product_attention(q, k, v, is_causal=t > 1).transpose(1, 2).reshape(b, t, d))
    return head(x[:, -1])
ids = torch.randint(0, vocab, (16, 512)).cuda(); text = [ids]
logits = step(ids)
for n in range(200):
    top, where = torch.topk(logits.float() / 0.8, 50)
    nxt = where.gather(1, torch.multinomial(F.softmax(top, -1), 1)); text.append(nxt)
    logits = step(nxt)
print(torch.cat(text, 1)[0, -20:].tolist())
