# GRPO from scratch: sample a group, score with the frozen reference and the old policy, one policy update.
import copy, sys
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, D, NH, NL = 8192, 384, 6, 3

class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.wqkv, self.wo = nn.Linear(D, 3 * D, bias=False), nn.Linear(D, D, bias=False)
    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q, k, v = [t.view(B, T, NH, D // NH).transpose(1, 2) for t in self.wqkv(x).chunk(3, -1)]
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=T > 1)
        return self.wo(y.transpose(1, 2).reshape(B, T, D))

class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, D)
        self.att = nn.ModuleList([Attn() for _ in range(NL)])
        self.mlp = nn.ModuleList([nn.Sequential(nn.LayerNorm(D), nn.Linear(D, 4 * D), nn.ReLU(), nn.Linear(4 * D, D)) for _ in range(NL)])
        self.lnf, self.head = nn.LayerNorm(D), nn.Linear(D, VOCAB, bias=False)
    def forward(self, ids, caches=None):
        x = self.emb(ids)
        for i in range(NL):
            x = x + self.att[i](x, None if caches is None else caches[i])
            x = x + self.mlp[i](x)
        return self.head(self.lnf(x))

@torch.no_grad()
def rollout(model, prompt, n):
    caches, ids, cur = [[] for _ in range(NL)], prompt, prompt
    for _ in range(n):
        p = model(cur, caches)[:, -1].softmax(-1)
        cur = torch.multinomial(p, 1)
        ids = torch.cat([ids, cur], 1)
    return ids

def seq_logps(model, ids):
    lp = model(ids[:, :-1]).log_softmax(-1)
    return lp.gather(2, ids[:, 1:, None]).squeeze(2)

policy = Policy().cuda()
reference = copy.deepcopy(policy).eval().requires_grad_(False)
optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-6)
inner = int(sys.argv[1]) if len(sys.argv) > 1 else 1
for update in range(3):
    prompts = torch.randint(0, VOCAB, (2, 64)).cuda().repeat_interleave(4, dim=0)
    ids = rollout(policy, prompts, 8)
    with torch.no_grad():
        ref = seq_logps(reference, ids)
        old = seq_logps(policy, ids)
    rewards = torch.randn(8, device="cuda").view(2, 4)
    adv = ((rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + 1e-4)).view(-1, 1)
    for _ in range(inner):
        new = seq_logps(policy, ids)
        ratio = torch.exp(new - old)
        kl = torch.exp(ref - new) - (ref - new) - 1
        loss = (-torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv) + 0.04 * kl).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
