"""Reference case R2: GRPO of a character model: 2 prompts x 4 samples x 1,024 characters, 67 of them, 8 micro-steps an update.
Sampling, reference and policy each give logits of 8 x 1,024 x 67 in fp32.

usage: r2_grpo_logits.py LOG [--fixed]
As written all three stay until the update. --fixed: sampling returns none, and the others go once they are used. LOG gets a
line for each micro-step with the allocator's figures in MiB.
"""
import copy
import json
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

FIXED = "--fixed" in sys.argv
PROMPTS, GROUP, LENGTH, CHARACTERS, NEW, ACCUMULATION = 2, 4, 1024, 67, 12, 8
MIB = 1 << 20


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        rows, length, width = x.shape
        q, k, v = (part.view(rows, length, self.heads, -1).transpose(1, 2) for part in self.qkv(self.ln_1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(rows, length, width))
        return x + self.mlp(self.ln_2(x))


class CharacterModel(nn.Module):
    def __init__(self, width=128, layers=4, heads=4):
        super().__init__()
        self.tokens, self.places = nn.Embedding(CHARACTERS, width), nn.Embedding(LENGTH, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, CHARACTERS, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


@torch.no_grad()
def sample(model, prompts):
    """The completions, and the logits of the last pass."""
    ids = prompts.repeat_interleave(GROUP, 0)
    for _ in range(NEW):
        logits = model(ids)
        following = torch.multinomial(F.softmax(logits[:, -1], -1), 1)
        ids = torch.cat([ids, following], 1)
    return (ids, None) if FIXED else (ids, model(ids))


def token_log_probs(logits, ids):
    return F.log_softmax(logits[:, :-1], -1).gather(2, ids[:, 1:, None]).squeeze(2)


class Trainer:
    def __init__(self, log):
        self.policy = CharacterModel().cuda()
        self.reference = copy.deepcopy(self.policy).eval().requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), lr=1e-4)
        self.log, self.number = log, 0

    def micro_step(self, prompts):
        ids, sampled_logits = sample(self.policy, prompts)
        rewards = (ids == 7).float().sum(1).view(PROMPTS, GROUP)
        advantages = ((rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + 1e-4)).view(-1, 1)
        with torch.no_grad():
            reference_logits = self.reference(ids)
            reference = token_log_probs(reference_logits, ids)
        if FIXED:
            del reference_logits
        policy_logits = self.policy(ids)
        new = token_log_probs(policy_logits, ids)
        divergence = torch.exp(reference - new) - (reference - new) - 1
        loss = (-(torch.exp(new - new.detach()) * advantages) + 0.04 * divergence).mean() / ACCUMULATION
        if FIXED:
            del policy_logits
            loss.backward()
            return loss.detach(), None
        loss.backward()
        return loss.detach(), (sampled_logits, reference_logits, policy_logits)

    def write_line(self, loss):
        line = {"iter": self.number, "loss": round(loss.item(), 4), "time": round(time.time(), 3)}
        for name, value in (("alloc", torch.cuda.memory_allocated()), ("reserved", torch.cuda.memory_reserved()),
                            ("max_alloc", torch.cuda.max_memory_allocated())):
            line[f"mem_{name}_mb"] = round(value / MIB, 1)
        torch.cuda.reset_peak_memory_stats()
        self.log.write(json.dumps(line) + "\n")
        self.log.flush()
        self.number += 1

    def update(self):
        outputs = []
        self.optimizer.zero_grad()
        for _ in range(ACCUMULATION):
            prompts = torch.randint(0, CHARACTERS, (PROMPTS, LENGTH - NEW)).cuda()
            loss, logits = self.micro_step(prompts)
            outputs.append(logits)
            self.write_line(loss)
        self.optimizer.step()


def main():
    torch.manual_seed(0)
    with open(sys.argv[1], "w", encoding="utf-8") as log:
        trainer = Trainer(log)
        for _ in range(4):
            trainer.update()


main()
