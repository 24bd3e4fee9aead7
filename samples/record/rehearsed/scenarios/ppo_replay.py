# PPO on the GPU: rollouts are kept in buffers on the device, several epochs of minibatches are drawn from them.
import torch
import torch.nn as nn
from torch.distributions import Normal

OBS, ACT, ENVS, STEPS = 512, 32, 2048, 16

class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(OBS, 1024), nn.ELU(), nn.Linear(1024, 1024), nn.ELU(), nn.Linear(1024, ACT))
        self.critic = nn.Sequential(nn.Linear(OBS, 1024), nn.ELU(), nn.Linear(1024, 1024), nn.ELU(), nn.Linear(1024, 1))
        self.log_std = nn.Parameter(torch.zeros(ACT))

    def act(self, obs):
        dist = Normal(self.actor(obs), self.log_std.exp(), validate_args=False)
        a = dist.mean + dist.stddev * torch.randn_like(dist.mean)
        return a, dist.log_prob(a).sum(-1), self.critic(obs).squeeze(-1)

    def evaluate(self, obs, a):
        dist = Normal(self.actor(obs), self.log_std.exp(), validate_args=False)
        return dist.log_prob(a).sum(-1), self.critic(obs).squeeze(-1), dist.entropy().sum(-1)

class RolloutStorage:
    def __init__(self, device):
        self.obs = torch.zeros(STEPS, ENVS, OBS, device=device)
        self.actions = torch.zeros(STEPS, ENVS, ACT, device=device)
        self.logp, self.values, self.rewards = (torch.zeros(STEPS, ENVS, device=device) for _ in range(3))

    def minibatches(self, n):
        size = STEPS * ENVS // n
        perm = torch.randperm(STEPS * ENVS, device=self.obs.device)
        for i in range(n):
            idx = perm[i * size:(i + 1) * size]
            yield self.obs.flatten(0, 1)[idx], self.actions.flatten(0, 1)[idx], self.logp.flatten()[idx], self.rewards.flatten()[idx]

class Runner:
    def __init__(self):
        self.ac = ActorCritic().cuda()
        self.opt = torch.optim.Adam(self.ac.parameters(), lr=3e-4, eps=1e-5)
        self.buf = RolloutStorage("cuda")

    @torch.no_grad()
    def collect(self):
        obs = torch.randn(ENVS, OBS, device="cuda")
        for t in range(STEPS):
            a, lp, v = self.ac.act(obs)
            self.buf.obs[t].copy_(obs); self.buf.actions[t].copy_(a); self.buf.logp[t].copy_(lp); self.buf.values[t].copy_(v)
            obs = torch.randn(ENVS, OBS, device="cuda")

    def update(self):
        for obs, act, old, ret in self.buf.minibatches(2):
            lp, v, ent = self.ac.evaluate(obs, act)
            ratio = (lp - old).exp()
            loss = -torch.min(ratio * ret, ratio.clamp(.8, 1.2) * ret).mean() + .5 * (v - ret).pow(2).mean() - .01 * ent.mean()
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.ac.parameters(), .5)
            self.opt.step()

r = Runner()
for it in range(3):
    r.collect()
    r.update()
