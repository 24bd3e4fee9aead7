"""Image translation with two nets and two kinds of optimizer: Adam for the generator, SGD with momentum for the critic, a pool of old fakes, Lookahead around Adam."""
import random
import sys
from collections import defaultdict

import torch
from torch import nn

hw = sys.modules.get("highwater_labels")


class Lookahead:
    """No subclass of Optimizer: wraps one; slow weights in a dict of its own."""

    def __init__(self, base, alpha=0.5, k=3):
        self.base, self.alpha, self.k, self.t = base, alpha, k, 0
        self.state = defaultdict(dict)

    def zero_grad(self):
        self.base.zero_grad()

    def step(self):
        self.base.step()
        self.t += 1
        if self.t % self.k:
            return
        for group in self.base.param_groups:
            for fast in group["params"]:
                st = self.state[fast]
                if "slow" not in st:
                    st["slow"] = torch.empty_like(fast.data)
                    st["slow"].copy_(fast.data)
                    if hw:
                        hw.mark(st["slow"], "optimizer_state")
                slow = st["slow"]
                slow += (fast.data - slow) * self.alpha
                fast.data.copy_(slow)


def down(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 4, 2, 1), nn.InstanceNorm2d(o), nn.LeakyReLU(0.2))


def up(i, o):
    return nn.Sequential(nn.ConvTranspose2d(i, o, 4, 2, 1), nn.InstanceNorm2d(o), nn.ReLU())


class Gen(nn.Module):
    def __init__(s, w=64):
        super().__init__()
        s.d1, s.d2, s.d3, s.d4 = down(3, w), down(w, 2 * w), down(2 * w, 4 * w), down(4 * w, 8 * w)
        s.u4, s.u3, s.u2, s.u1 = up(8 * w, 4 * w), up(8 * w, 2 * w), up(4 * w, w), nn.ConvTranspose2d(2 * w, 3, 4, 2, 1)

    def forward(s, x):
        a = s.d1(x); b = s.d2(a); c = s.d3(b); y = s.u4(s.d4(c))
        return torch.tanh(s.u1(torch.cat((s.u2(torch.cat((s.u3(torch.cat((y, c), 1)), b), 1)), a), 1)))


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []

    def query(self, images):
        out = []
        for im in images.detach():
            im = im[None]
            if len(self.images) < self.size:
                self.images.append(im.clone())
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                im, self.images[k] = self.images[k], im.clone()
            out.append(im)
        return torch.cat(out)


random.seed(3)
G, D = Gen().cuda(), nn.Sequential(down(6, 64), down(64, 128), down(128, 256), nn.Conv2d(256, 1, 4)).cuda()
oG, oD = Lookahead(torch.optim.Adam(G.parameters(), 2e-4, betas=(0.5, 0.999))), torch.optim.SGD(D.parameters(), 1e-3, momentum=0.9)
pool, bce = ImagePool(16), nn.BCEWithLogitsLoss()
for it in range(6):
    a, b = torch.rand(4, 3, 256, 256, device="cuda"), torch.rand(4, 3, 256, 256, device="cuda")
    fake = G(a)
    for p in D.parameters():
        p.requires_grad_(False)
    oG.zero_grad()
    s = D(torch.cat((a, fake), 1))
    (bce(s, torch.ones_like(s)) + 100 * (fake - b).abs().mean()).backward()
    oG.step()
    for p in D.parameters():
        p.requires_grad_(True)
    oD.zero_grad()
    r, f = D(torch.cat((a, b), 1)), D(torch.cat((a, pool.query(fake)), 1))
    (bce(r, torch.ones_like(r)) + bce(f, torch.zeros_like(f))).backward()
    oD.step()
