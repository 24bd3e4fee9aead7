"""1F1B by hand: stages of a model on two GPUs, micro-batches; boundaries are detached and their gradients handed to the stage before."""
import torch
import torch.nn as nn

N_MICRO, STAGES, D = 6, 2, 1024


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = nn.LayerNorm(D)
        self.w_in, self.w_out = nn.Linear(D, 3 * D, bias=False), nn.Linear(3 * D, D, bias=False)

    def forward(self, x):
        return x + self.w_out(nn.functional.silu(self.w_in(self.n(x))))


class Stage:
    def __init__(self, i):
        self.dev = torch.device("cuda", i)
        mods = [Layer() for _ in range(3)]
        if i == 0:
            mods.insert(0, nn.Embedding(8000, D))
        if i == STAGES - 1:
            mods.append(nn.Linear(D, 8000, bias=False))
        self.net = nn.Sequential(*mods).to(self.dev)
        self.opt = torch.optim.AdamW(self.net.parameters(), 1e-4)
        self.live = []

    def fwd(self, x):
        x = x.to(self.dev)
        if x.is_floating_point():
            x = x.detach().requires_grad_()
        y = self.net(x)
        self.live.append((x, y))
        return y

    def bwd(self, g):
        x, y = self.live.pop(0)
        y.backward(None if g is None else g.to(self.dev))
        return x.grad


def schedule(stages, micro, labels):
    first, last = stages
    pending, done = [], 0

    def forward(i):
        h = first.fwd(micro[i])
        logits = last.fwd(h)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels[i].to(last.dev).flatten()) / N_MICRO
        last.live[-1] = (last.live[-1][0], loss)

    for i in range(STAGES):
        forward(i)
    for i in range(STAGES, N_MICRO):
        first.bwd(last.bwd(None))
        forward(i)
    for i in range(STAGES):
        first.bwd(last.bwd(None))
    for s in stages:
        s.opt.step()
        s.opt.zero_grad()


stages = [Stage(i) for i in range(STAGES)]
for it in range(4):
    toks = torch.randint(0, 8000, (N_MICRO, 4, 129))
    schedule(stages, list(toks[..., :-1]), list(toks[..., 1:]))
