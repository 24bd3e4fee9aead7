"""DQN: target network, replay memory preallocated on the GPU, soft updates of the target."""
import copy
import random

import torch
import torch.nn as nn

random.seed(0)


class Replay:
    def __init__(self, capacity, shape):
        self.s = torch.empty((capacity, *shape), dtype=torch.uint8, device="cuda")
        self.n = torch.empty((capacity, *shape), dtype=torch.uint8, device="cuda")
        self.a, self.r = torch.zeros(capacity, dtype=torch.long, device="cuda"), torch.zeros(capacity, device="cuda")
        self.capacity, self.top = capacity, 0

    def push(self, s, a, r, n):
        i = self.top % self.capacity
        self.s[i], self.n[i], self.a[i], self.r[i] = s, n, a, r
        self.top += 1

    def sample(self, k):
        i = torch.randint(0, self.capacity, (k,), device="cuda")
        return self.s[i].float() / 255, self.a[i], self.r[i], self.n[i].float() / 255


class QNet(nn.Module):
    def __init__(self, actions=18):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(), nn.Conv2d(64, 64, 3), nn.ReLU())
        self.adv, self.val = (nn.Sequential(nn.Linear(3136, 2048), nn.ReLU(), nn.Linear(2048, o)) for o in (actions, 1))

    def forward(self, x):
        h = self.conv(x).flatten(1)
        a = self.adv(h)
        return self.val(h) + a - a.mean(1, keepdim=True)


class Agent:
    def __init__(self):
        self.q = QNet().cuda()
        self.target = copy.deepcopy(self.q)
        self.memory = Replay(1000, (4, 84, 84))
        self.opt = torch.optim.RMSprop(self.q.parameters(), lr=2.5e-4, momentum=0.95, centered=True)

    def act(self, s):
        if random.random() < 0.1:
            return random.randrange(18)
        with torch.no_grad():
            self.q(s[None].float() / 255).argmax()
        return 0

    def learn(self):
        s, a, r, n = self.memory.sample(128)
        with torch.no_grad():
            best = self.q(n).argmax(1, keepdim=True)
            y = r + 0.99 * self.target(n).gather(1, best).squeeze(1)
        td = nn.functional.smooth_l1_loss(self.q(s).gather(1, a[:, None]).squeeze(1), y)
        self.opt.zero_grad()
        td.backward()
        self.opt.step()
        for t, p in zip(self.target.parameters(), self.q.parameters()):
            t.data.copy_(0.005 * p.data + 0.995 * t.data)


agent = Agent()
state = torch.zeros(4, 84, 84, dtype=torch.uint8, device="cuda")
for frame in range(16):
    nxt = torch.zeros_like(state)
    agent.memory.push(state, agent.act(state), 0.0, nxt)
    state = nxt
    if frame % 4 == 3:
        agent.learn()
