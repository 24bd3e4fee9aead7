"""Enlarges the batch until memory runs out; the error is caught and a snapshot written, the observer writes one before.
`forward` doubles, `backward` adds a little each time: then backward, which needs more, is the first that does not fit."""
import sys

import torch
import torch.nn as nn

PHASE = sys.argv[1] if len(sys.argv) > 1 else "forward"


class Mixer(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tok = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.chan = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.tok(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.chan(self.norm2(x))


def try_batch(net, opt, bs):
    x = torch.randn(bs, 196, 512, device="cuda")
    out = net(x)
    loss = out.square().mean()
    loss.backward()
    opt.step()
    opt.zero_grad()


def observer(device, alloc, device_alloc, device_free):
    torch.cuda.memory._dump_snapshot("observer.pickle")


net = nn.Sequential(*[Mixer(196, 512) for _ in range(4)]).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
torch.cuda.init()
torch._C._cuda_attach_out_of_memory_observer(observer)
bs = 512 if PHASE == "backward" else 16
try:
    while True:
        try_batch(net, opt, bs)
        bs = bs + 40 if PHASE == "backward" else bs * 2
except torch.cuda.OutOfMemoryError as e:
    print("stopped at", bs, e)
    torch.cuda.memory._dump_snapshot("caught.pickle")
