"""Self-play: every few updates the policy is copied into a league, opponents are drawn from it; the best are kept on the GPU."""
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)


class ResTower(nn.Module):
    def __init__(self, planes=17, c=128, n=6, moves=4672):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(planes, c, 3, padding=1, bias=False), nn.BatchNorm2d(c), nn.ReLU())
        self.tower = nn.ModuleList(nn.Sequential(nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, c, 3, padding=1, bias=False),
                                                 nn.BatchNorm2d(c)) for _ in range(n))
        self.pi = nn.Sequential(nn.Conv2d(c, 16, 1), nn.Flatten(), nn.Linear(16 * 64, moves))
        self.v = nn.Sequential(nn.Conv2d(c, 4, 1), nn.Flatten(), nn.Linear(4 * 64, 128), nn.ReLU(), nn.Linear(128, 1), nn.Tanh())

    def forward(self, x):
        x = self.stem(x)
        for r in self.tower:
            x = F.relu(x + r(x))
        return self.pi(x), self.v(x).squeeze(1)


class Arena:
    def __init__(self):
        self.champion = ResTower().to("cuda")
        self.league = [copy.deepcopy(self.champion).eval()]
        self.opt = torch.optim.AdamW(self.champion.parameters(), 1e-3, weight_decay=1e-4)
        self.history = []

    @torch.no_grad()
    def play(self, opponent, games=256, plies=4):
        boards = torch.zeros(games, 17, 8, 8, device="cuda")
        out = []
        for ply in range(plies):
            side = self.champion if ply % 2 == 0 else opponent
            logits, v = side(boards)
            if ply % 2 == 0:
                out.append((boards.half(), logits.softmax(1).half(), v))
            boards = boards + torch.randn_like(boards)
        return out

    def improve(self):
        for boards, pi, z in random.sample(self.history, min(2, len(self.history))):
            self.opt.zero_grad()
            logits, v = self.champion(boards.float())
            loss = -(pi.float() * logits.log_softmax(1)).sum(1).mean() + F.mse_loss(v, z)
            loss.backward()
            self.opt.step()

    def run(self, generations=4):
        for g in range(generations):
            self.champion.eval()
            self.history += self.play(random.choice(self.league))
            self.history = self.history[-6:]
            self.champion.train()
            self.improve()
            self.league.append(copy.deepcopy(self.champion).eval())
            self.league = self.league[-3:]


Arena().run()
