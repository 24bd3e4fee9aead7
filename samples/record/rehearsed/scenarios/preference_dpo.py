# Direct preference optimisation, reference model kept on the same GPU.
import torch
import torch.nn as nn
import torch.nn.functional as F

class TinyLlama(nn.Module):
    def __init__(self, vocab=10000, d=512, layers=4, heads=8):
        super().__init__()
        self.h = heads
        self.embed_tokens = nn.Embedding(vocab, d)
        self.stack = nn.ModuleList()
        for _ in range(layers):
            self.stack.append(nn.ModuleDict(dict(
                inorm=nn.RMSNorm(d), qkv=nn.Linear(d, 3 * d, bias=False), o=nn.Linear(d, d, bias=False),
                pnorm=nn.RMSNorm(d), gate=nn.Linear(d, 1376, bias=False), up=nn.Linear(d, 1376, bias=False), down=nn.Linear(1376, d, bias=False))))
        self.norm, self.lm_head = nn.RMSNorm(d), nn.Linear(d, vocab, bias=False)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for l in self.stack:
            b, t, d = x.shape
            q, k, v = l["qkv"](l["inorm"](x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
            x = x + l["o"](F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d))
            y = l["pnorm"](x)
            x = x + l["down"](F.silu(l["gate"](y)) * l["up"](y))
        return self.lm_head(self.norm(x))

def get_batch_logps(logits, labels, mask):
    per_token = torch.gather(logits[:, :-1].log_softmax(-1), 2, labels[:, 1:].unsqueeze(2)).squeeze(2)
    return (per_token * mask[:, 1:]).sum(-1)

class DPOTrainer:
    beta = 0.1

    def __init__(self, policy, reference, lr=5e-7):
        self.policy, self.reference = policy, reference
        self.optimizer = torch.optim.RMSprop(policy.parameters(), lr=lr)

    def forward_pair(self, model, batch):
        return get_batch_logps(model(batch["ids"]).float(), batch["ids"], batch["mask"]).chunk(2)

    def train_batch(self, batch):
        pc, pr = self.forward_pair(self.policy, batch)
        with torch.no_grad():
            rc, rr = self.forward_pair(self.reference, batch)
        losses = -F.logsigmoid(self.beta * ((pc - pr) - (rc - rr)))
        losses.mean().backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 10.0)
        self.optimizer.step()
        self.optimizer.zero_grad()

device = "cuda"
pol = TinyLlama().to(device)
ref = TinyLlama().to(device)
ref.load_state_dict(pol.state_dict())
ref.eval()
trainer = DPOTrainer(pol, ref)
for _ in range(4):
    trainer.train_batch({"ids": torch.randint(10000, (8, 192), device=device), "mask": torch.ones(8, 192, device=device)})
