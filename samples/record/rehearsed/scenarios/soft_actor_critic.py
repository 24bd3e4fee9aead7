"""SAC as in CleanRL: twin critics with targets, delayed actor, a learned temperature; replay memory in host memory, batches are copied."""
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

rng = np.random.default_rng(1)
OBS, ACT, N = 376, 17, 4096


class SoftQNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(OBS + ACT, 1024), nn.Linear(1024, 1024), nn.Linear(1024, 1)

    def forward(self, x, a):
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(torch.cat([x, a], 1))))))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(OBS, 1024), nn.Linear(1024, 1024)
        self.fc_mean, self.fc_logstd = nn.Linear(1024, ACT), nn.Linear(1024, ACT)
        self.register_buffer("action_scale", torch.ones(ACT))

    def forward(self, x):
        x = F.relu(self.fc2(F.relu(self.fc1(x))))
        return self.fc_mean(x), torch.tanh(self.fc_logstd(x))

    def get_action(self, x):
        mean, log_std = self(x)
        x_t = mean + log_std.exp() * torch.randn_like(mean)
        y_t = torch.tanh(x_t)
        log_prob = (-0.5 * ((x_t - mean) / log_std.exp()) ** 2 - log_std - torch.log(1 - y_t.pow(2) + 1e-6)).sum(1, keepdim=True)
        return y_t * self.action_scale, log_prob


hw = sys.modules.get("highwater_labels")
device = torch.device("cuda")
actor, qf1, qf2, qf1_target, qf2_target = Actor().to(device), *(SoftQNetwork().to(device) for _ in range(4))
qf1_target.load_state_dict(qf1.state_dict())
qf2_target.load_state_dict(qf2.state_dict())
q_optimizer = optim.Adam(list(qf1.parameters()) + list(qf2.parameters()), lr=1e-3)
actor_optimizer = optim.Adam(list(actor.parameters()), lr=3e-4)
log_alpha = torch.zeros(1, requires_grad=True, device=device)
a_optimizer = optim.Adam([log_alpha], lr=1e-3)
rb = {"obs": rng.normal(size=(N, OBS)).astype("f4"), "next": rng.normal(size=(N, OBS)).astype("f4"), "act": rng.normal(size=(N, ACT)).astype("f4"),
      "rew": rng.normal(size=(N, 1)).astype("f4")}
for global_step in range(8):
    if hw:
        hw.step()
    with torch.no_grad():
        actor.get_action(torch.Tensor(rb["obs"][:8]).to(device))[0].cpu()
    data = {k: torch.as_tensor(v[rng.integers(0, N, 512)]).to(device) for k, v in rb.items()}
    with torch.no_grad():
        a2, lp2 = actor.get_action(data["next"])
        target = torch.min(qf1_target(data["next"], a2), qf2_target(data["next"], a2)) - log_alpha.exp() * lp2
        y = data["rew"] + 0.99 * target
    qf_loss = F.mse_loss(qf1(data["obs"], data["act"]), y) + F.mse_loss(qf2(data["obs"], data["act"]), y)
    q_optimizer.zero_grad()
    qf_loss.backward()
    q_optimizer.step()
    if global_step % 2 == 0:
        for _ in range(2):
            pi, log_pi = actor.get_action(data["obs"])
            actor_loss = (log_alpha.exp().detach() * log_pi - torch.min(qf1(data["obs"], pi), qf2(data["obs"], pi))).mean()
            actor_optimizer.zero_grad()
            actor_loss.backward()
            actor_optimizer.step()
            alpha_loss = (-log_alpha.exp() * (log_pi.detach() - ACT)).mean()
            a_optimizer.zero_grad()
            alpha_loss.backward()
            a_optimizer.step()
    for p, t in zip(list(qf1.parameters()) + list(qf2.parameters()), list(qf1_target.parameters()) + list(qf2_target.parameters())):
        t.data.copy_(0.005 * p.data + 0.995 * t.data)
