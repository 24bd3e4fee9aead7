"""Dreamer: a recurrent world model learns from replayed sequences, then actor and critic learn in imagination; three optimizers, a moving target critic, frozen parts by requires_grad."""
import copy
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F

H, Z, A, E = 768, 256, 8, 1024


def net(i, o, h=640):
    return nn.Sequential(nn.Linear(i, h), nn.LayerNorm(h), nn.SiLU(), nn.Linear(h, h), nn.LayerNorm(h), nn.SiLU(), nn.Linear(h, o))


class RSSM(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, 48, 4, 2), nn.SiLU(), nn.Conv2d(48, 96, 4, 2), nn.SiLU(), nn.Conv2d(96, 192, 4, 2), nn.SiLU(), nn.Conv2d(192, 256, 4, 2),
                                 nn.SiLU(), nn.Flatten())
        self.inp, self.wx, self.wh = nn.Linear(Z + A, H), nn.Linear(H, 3 * H), nn.Linear(H, 3 * H)
        self.prior, self.post = net(H, 2 * Z), net(H + E, 2 * Z)
        self.dec = nn.Sequential(nn.Linear(H + Z, E), nn.Unflatten(1, (E, 1, 1)), nn.ConvTranspose2d(E, 128, 5, 2), nn.SiLU(), nn.ConvTranspose2d(128, 64, 5, 2), nn.SiLU(),
                                 nn.ConvTranspose2d(64, 32, 6, 2), nn.SiLU(), nn.ConvTranspose2d(32, 3, 6, 2))
        self.rew = net(H + Z, 1)

    def cell(self, h, z, a):
        x = F.silu(self.inp(torch.cat([z, a], 1)))
        r, c, u = (self.wx(x) + self.wh(h)).chunk(3, 1)
        u = torch.sigmoid(u - 1)
        return u * torch.tanh(torch.sigmoid(r) * c) + (1 - u) * h

    @staticmethod
    def draw(stats):
        m, s = stats.chunk(2, 1)
        return m + F.softplus(s) * torch.randn_like(m)

    def observe(self, obs, act):
        b, t = act.shape[:2]
        e = self.enc(obs.flatten(0, 1)).view(b, t, -1)
        h, z, out, kl = obs.new_zeros(b, H), obs.new_zeros(b, Z), [], 0
        for k in range(t):
            h = self.cell(h, z, act[:, k])
            p, q = self.prior(h), self.post(torch.cat([h, e[:, k]], 1))
            z = self.draw(q)
            kl = kl + (p - q).square().mean()
            out.append(torch.cat([h, z], 1))
        return torch.stack(out, 1), kl


@contextmanager
def frozen(*ms):
    ps = [p for m in ms for p in m.parameters()]
    for p in ps:
        p.requires_grad_(False)
    yield
    for p in ps:
        p.requires_grad_(True)


wm, actor, critic = RSSM().cuda(), net(H + Z, 2 * A).cuda(), net(H + Z, 1).cuda()
slow = copy.deepcopy(critic)
ow, oa, oc = torch.optim.AdamW(wm.parameters(), 1e-4), torch.optim.AdamW(actor.parameters(), 3e-5), torch.optim.AdamW(critic.parameters(), 3e-5)
for it in range(4):
    obs, act, rew = torch.rand(8, 12, 3, 64, 64, device="cuda"), torch.rand(8, 12, A, device="cuda"), torch.rand(8, 12, device="cuda")
    feat, kl = wm.observe(obs, act)
    flat = feat.flatten(0, 1)
    model_loss = F.mse_loss(wm.dec(flat), obs.flatten(0, 1)) + F.mse_loss(wm.rew(flat).view(8, 12), rew) + kl
    ow.zero_grad(set_to_none=True)
    model_loss.backward()
    nn.utils.clip_grad_norm_(wm.parameters(), 1000.0)
    ow.step()
    with frozen(wm):
        s, states = flat.detach(), []
        for k in range(6):
            a = RSSM.draw(actor(s))
            h = wm.cell(s[:, :H], s[:, H:], torch.tanh(a))
            s = torch.cat([h, RSSM.draw(wm.prior(h))], 1)
            states.append(s)
        traj = torch.stack(states)
        with frozen(critic):
            value = wm.rew(traj).squeeze(-1).cumsum(0) + slow(traj).squeeze(-1)
        oa.zero_grad(set_to_none=True)
        (-value.mean()).backward()
        oa.step()
    oc.zero_grad(set_to_none=True)
    F.mse_loss(critic(traj.detach()).squeeze(-1), value.detach()).backward()
    oc.step()
    with torch.no_grad():
        for t, p in zip(slow.parameters(), critic.parameters()):
            t.lerp_(p, 0.02)
