# Inference alone: prefill, then token by token with a pre-allocated key-value cache.
import sys
import torch
import torch.nn.functional as F

class Config:
    dim, n_head, n_layer, vocab, max_len = 1024, 16, 6, 32000, 512

class KVCache(torch.nn.Module):
    def __init__(self, bsz, cfg):
        super().__init__()
        shape = (bsz, cfg.n_head, cfg.max_len, cfg.dim // cfg.n_head)
        self.register_buffer("k_cache", torch.zeros(shape, dtype=torch.bfloat16))
        self.register_buffer("v_cache", torch.zeros(shape, dtype=torch.bfloat16))
    def update(self, pos, k, v):
        self.k_cache[:, :, pos], self.v_cache[:, :, pos] = k, v
        return self.k_cache, self.v_cache

class Block(torch.nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.wqkv = torch.nn.Linear(cfg.dim, 3 * cfg.dim, bias=False)
        self.wo = torch.nn.Linear(cfg.dim, cfg.dim, bias=False)
        self.w1, self.w2 = torch.nn.Linear(cfg.dim, 4 * cfg.dim, bias=False), torch.nn.Linear(4 * cfg.dim, cfg.dim, bias=False)
        self.kv = None
    def forward(self, x, pos, mask):
        b, t, d = x.shape
        q, k, v = (y.view(b, t, self.cfg.n_head, -1).transpose(1, 2) for y in self.wqkv(F.rms_norm(x, (d,))).split(d, -1))
        k, v = self.kv.update(pos, k, v)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.wo(y.transpose(1, 2).reshape(b, t, d))
        return x + self.w2(F.silu(self.w1(F.rms_norm(x, (d,)))))

class Transformer(torch.nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = torch.nn.Embedding(cfg.vocab, cfg.dim)
        self.layers = torch.nn.ModuleList(Block(cfg) for _ in range(cfg.n_layer))
        self.out = torch.nn.Linear(cfg.dim, cfg.vocab, bias=False)
    def setup_caches(self, bsz, cfg):
        for l in self.layers:
            l.kv = KVCache(bsz, cfg).to("cuda")
            labels = sys.modules.get("highwater_labels")
            if labels:
                labels.mark(l.kv, "other")
        self.causal = torch.tril(torch.ones(cfg.max_len, cfg.max_len, dtype=torch.bool, device="cuda"))
    def forward(self, idx, pos):
        x, mask = self.emb(idx), self.causal[None, None, pos]
        for l in self.layers:
            x = l(x, pos, mask)
        return self.out(x)

@torch.inference_mode()
def generate(model, prompt, n):
    T = prompt.size(1)
    seq = torch.empty(prompt.size(0), T + n, dtype=prompt.dtype, device="cuda")
    seq[:, :T] = prompt
    pos = torch.arange(T, device="cuda")
    tok = model(prompt, pos)[:, -1].float().softmax(-1).multinomial(1)
    for i in range(n):
        seq[:, T + i] = tok[:, 0]
        tok = model(tok, torch.tensor([T + i], device="cuda"))[:, -1].float().softmax(-1).multinomial(1)
    return seq

cfg = Config()
with torch.device("cuda"):
    m = Transformer(cfg)
m = m.to(torch.bfloat16).eval()
m.setup_caches(8, cfg)
generate(m, torch.randint(0, cfg.vocab, (8, 128), device="cuda"), 6)
