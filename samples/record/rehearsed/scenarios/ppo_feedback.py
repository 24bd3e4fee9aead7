"""PPO from human feedback, four models: actor, critic, frozen reference and reward model; two optimizers, minibatches of experience."""
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, h, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(h), nn.LayerNorm(h)
        self.qkv, self.proj = nn.Linear(h, 3 * h), nn.Linear(h, h)
        self.up, self.down = nn.Linear(h, 4 * h), nn.Linear(4 * h, h)
        self.heads = heads

    def forward(self, x):
        b, t, h = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, h))
        return x + self.down(F.gelu(self.up(self.ln2(x))))


class Trunk(nn.Module):
    def __init__(self, vocab, h, layers, heads=8, max_len=256):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, h), nn.Embedding(max_len, h)
        self.h = nn.ModuleList(Block(h, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(h)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe.weight[: ids.size(1)]
        for blk in self.h:
            x = blk(x)
        return self.ln_f(x)


class Actor(nn.Module):
    def __init__(self, vocab=10000, h=512, layers=4):
        super().__init__()
        self.transformer = Trunk(vocab, h, layers)
        self.lm_head = nn.Linear(h, vocab, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, ids):
        return self.lm_head(self.transformer(ids))

    @torch.no_grad()
    def sample(self, ids, new):
        for _ in range(new):
            nxt = torch.multinomial(self(ids)[:, -1].softmax(-1), 1)
            ids = torch.cat((ids, nxt), 1)
        return ids


class Scalar(nn.Module):
    def __init__(self, vocab=10000, h=384, layers=3):
        super().__init__()
        self.transformer = Trunk(vocab, h, layers, 6)
        self.v_head = nn.Linear(h, 1)

    def forward(self, ids):
        return self.v_head(self.transformer(ids)).squeeze(-1)


def logprobs_of(logits, labels):
    return torch.gather(logits.log_softmax(-1), 2, labels[..., None]).squeeze(-1)


@dataclass
class Experience:
    sequences: torch.Tensor
    logp: torch.Tensor
    values: torch.Tensor
    returns: torch.Tensor
    advantages: torch.Tensor


class PPOTrainer:
    def __init__(self):
        self.actor = Actor().cuda()
        self.critic = Scalar().cuda()
        self.initial_model = copy.deepcopy(self.actor).eval().requires_grad_(False)
        self.reward_model = copy.deepcopy(self.critic).eval().requires_grad_(False)
        self.actor_optim = torch.optim.AdamW(self.actor.parameters(), lr=1e-6, betas=(0.9, 0.95))
        self.critic_optim = torch.optim.AdamW(self.critic.parameters(), lr=9e-6, betas=(0.9, 0.95))

    @torch.no_grad()
    def make_experience(self, prompts):
        self.actor.eval(); self.critic.eval()
        seq = self.actor.sample(prompts, 12)
        logp = logprobs_of(self.actor(seq)[:, :-1], seq[:, 1:])
        base = logprobs_of(self.initial_model(seq)[:, :-1], seq[:, 1:])
        value = self.critic(seq)[:, :-1]
        r = self.reward_model(seq)[:, -1]
        reward = -0.1 * (logp - base)
        reward[:, -1] += r
        adv, last = [], 0
        for t in reversed(range(value.size(1))):
            nxt = value[:, t + 1] if t < value.size(1) - 1 else 0.0
            last = reward[:, t] + nxt - value[:, t] + 0.95 * last
            adv.append(last)
        adv = torch.stack(adv[::-1], 1)
        return Experience(seq, logp, value, adv + value, adv - adv.mean())

    def training_step(self, e):
        self.actor.train(); self.critic.train()
        new = logprobs_of(self.actor(e.sequences)[:, :-1], e.sequences[:, 1:])
        ratio = (new - e.logp).exp()
        actor_loss = -torch.min(ratio * e.advantages, ratio.clamp(0.8, 1.2) * e.advantages).mean()
        actor_loss.backward()
        nn.utils.clip_grad_norm_(self.actor.parameters(), 1.0)
        self.actor_optim.step()
        self.actor_optim.zero_grad()
        v = self.critic(e.sequences)[:, :-1]
        clipped = e.values + (v - e.values).clamp(-0.2, 0.2)
        critic_loss = torch.max((v - e.returns) ** 2, (clipped - e.returns) ** 2).mean()
        critic_loss.backward()
        self.critic_optim.step()
        self.critic_optim.zero_grad()

    def fit(self, episodes=2, epochs=2):
        for _ in range(episodes):
            replay = [self.make_experience(torch.randint(10000, (8, 64), device="cuda")) for _ in range(2)]
            for _ in range(epochs):
                for e in replay:
                    self.training_step(e)
            replay.clear()


PPOTrainer().fit()
