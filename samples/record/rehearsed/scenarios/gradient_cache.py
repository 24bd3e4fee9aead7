"""Contrastive pairs with a gradient cache: embeddings of all chunks without graph, gradients of the embeddings, then a second pass chunk by chunk."""
import torch
import torch.nn.functional as F
from torch import nn


class Text(nn.Module):
    def __init__(self, v=12000, d=384, n=4):
        super().__init__()
        self.emb = nn.Embedding(v, d, padding_idx=0)
        enc = nn.TransformerEncoderLayer(d, 6, 4 * d, 0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(enc, n, enable_nested_tensor=False)
        self.proj = nn.Linear(d, 256)

    def forward(self, ids):
        return F.normalize(self.proj(self.enc(self.emb(ids)).mean(1)), dim=-1)


class RandContext:
    def __init__(self, *tensors):
        self.fwd_cpu_state = torch.get_rng_state()

    def __enter__(self):
        self._fork = torch.random.fork_rng(devices=[], enabled=True)
        self._fork.__enter__()
        torch.set_rng_state(self.fwd_cpu_state)

    def __exit__(self, *exc):
        self._fork.__exit__(*exc)
        self._fork = None


class GradCache:
    def __init__(self, models, chunk, temperature=0.05):
        self.models, self.chunk, self.t = models, chunk, temperature

    def forward_no_grad(self, model, chunks):
        states, reps = [], []
        with torch.no_grad():
            for x in chunks:
                states.append(RandContext(x))
                reps.append(model(x))
        return torch.cat(reps), states

    def build_cache(self, reps):
        reps = [r.detach().requires_grad_() for r in reps]
        scores = reps[0] @ reps[1].t() / self.t
        loss = F.cross_entropy(scores, torch.arange(len(scores), device=scores.device))
        loss.backward()
        return [r.grad for r in reps], loss.detach()

    def forward_backward(self, model, chunks, cache, states):
        for x, s, g in zip(chunks, states, cache.split(self.chunk)):
            with s:
                y = model(x)
            torch.dot(y.flatten(), g.flatten()).backward()

    def __call__(self, *inputs):
        chunks = [x.split(self.chunk) for x in inputs]
        reps, states = zip(*[self.forward_no_grad(m, c) for m, c in zip(self.models, chunks)])
        cache, loss = self.build_cache(reps)
        for m, c, g, s in zip(self.models, chunks, cache, states):
            self.forward_backward(m, c, g, s)
        return loss


query, passage = Text().cuda(), Text().cuda()
gc = GradCache([query, passage], chunk=16)
opt = torch.optim.AdamW([*query.parameters(), *passage.parameters()], lr=2e-5)
for it in range(3):
    q, p = torch.randint(1, 12000, (64, 32)).cuda(), torch.randint(1, 12000, (64, 128)).cuda()
    opt.zero_grad()
    gc(q, p)
    opt.step()
