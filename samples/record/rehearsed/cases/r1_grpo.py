"""Reference case R1: GRPO of GPT-2 (124,439,808 parameters, bf16) with a frozen reference, 8 samples a group, on a GPU of 24 GB.

usage: r1_grpo.py [--fixed]
As written: generation and evaluation keep their graphs, the logits of every generated token are kept, and prompts are padded to
the model's 1,024 positions. --fixed mends these, as the author did. In both, texts are padded to n_positions before they are
scored, and the trainer keeps the outputs of every step. Both run out of memory.
"""
import copy
import sys

import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel

FIXED = "--fixed" in sys.argv
GROUP, NEW_TOKENS, UPDATES, MAX_LENGTH = 8, 48, 8, 200


class Words:
    """Prompts of up to 126 tokens: with 48 more the 174 of the case, in fewer events than its 30 and 144."""

    def __init__(self, vocabulary, seed=0):
        self.random = torch.Generator().manual_seed(seed)
        self.vocabulary = vocabulary

    def prompts(self, count):
        lengths = torch.randint(116, 127, (count,), generator=self.random).tolist()
        return [torch.randint(0, self.vocabulary, (length,), generator=self.random) for length in lengths]

    def encode_batch(self, texts, max_length=None):
        longest = max_length or 1024
        rows = [F.pad(text[:longest], (0, longest - len(text[:longest]))) for text in texts]
        return torch.stack(rows).cuda()


class Sampler:
    def __init__(self, model):
        self.model = model

    def generate(self, prompt):
        ids = prompt[None].repeat(GROUP, 1).cuda()
        if FIXED:
            with torch.no_grad():
                return self._tokens(ids)[0], None
        return self._tokens(ids)

    def _tokens(self, ids):
        cache, current, kept = None, ids, []
        for _ in range(NEW_TOKENS):
            output = self.model(current, past_key_values=cache, use_cache=True, logits_to_keep=1)
            cache, scores = output.past_key_values, output.logits[:, -1]
            current = torch.multinomial(F.softmax(scores.detach().float(), -1), 1)
            ids = torch.cat([ids, current], 1)
            if not FIXED:
                kept.append(scores)
        return ids, kept


class GrpoTrainer:
    def __init__(self, policy, words):
        self.policy, self.words = policy, words
        self.reference = copy.deepcopy(policy).eval().requires_grad_(False)
        self.optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-6)
        self.sampler = Sampler(policy)
        self.history = []
        self.prompts = words.encode_batch(words.prompts(2048), MAX_LENGTH if FIXED else None)

    def log_probs(self, model, ids):
        padded = F.pad(ids, (model.config.n_positions - ids.shape[1], 0))
        output = model(padded, logits_to_keep=ids.shape[1])
        scores = F.log_softmax(output.logits[:, :-1], -1).gather(2, ids[:, 1:, None]).squeeze(2)
        return scores, output

    def update(self, ids, advantages):
        with torch.no_grad():
            reference, reference_output = self.log_probs(self.reference, ids)
        new, output = self.log_probs(self.policy, ids)
        ratio = torch.exp(new - new.detach())
        divergence = torch.exp(reference - new) - (reference - new) - 1
        loss = -(ratio * advantages[:, None]).mean() + 0.04 * divergence.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.history.append({"loss": loss.detach(), "policy": output, "reference": reference_output})
        return loss

    def evaluate(self):
        ids = self.prompts[:GROUP, :MAX_LENGTH]
        if FIXED:
            with torch.no_grad():
                return self.policy(ids).logits.float().mean()
        return self.policy(ids).logits.float().mean()

    def train(self, rounds):
        step = 0
        for number in range(rounds):
            ids, scores = self.sampler.generate(self.words.prompts(1)[0])
            rewards = torch.randn(GROUP, device="cuda", dtype=torch.bfloat16)
            advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
            for _ in range(UPDATES):
                loss = self.update(ids, advantages)
                step += 1
                print(f"step {step}: loss {loss.item():.4f}, {torch.cuda.memory_allocated() / 2**30:.2f} GiB allocated", flush=True)
            del scores
            self.evaluate()


def main():
    torch.manual_seed(0)
    policy = GPT2LMHeadModel(GPT2Config(attn_implementation="sdpa")).to(torch.bfloat16).cuda()
    GrpoTrainer(policy, Words(policy.config.vocab_size)).train(rounds=20)


main()
