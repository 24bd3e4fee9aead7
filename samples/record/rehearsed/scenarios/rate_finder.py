"""A search for the learning rate first (weights and optimizer saved as deep copies, then restored), the training with a leftover accumulation after it."""
import copy
import sys

import torch
import torch.nn as nn

hw = sys.modules.get("highwater_labels")


class DenseLayer(nn.Module):
    def __init__(self, c, g):
        super().__init__()
        self.f = nn.Sequential(nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, 4 * g, 1, bias=False), nn.BatchNorm2d(4 * g), nn.ReLU(), nn.Conv2d(4 * g, g, 3, padding=1, bias=False))

    def forward(self, x):
        return torch.cat([x, self.f(x)], 1)


def densenet(g=48, layers=(4, 4, 4)):
    c, mods = 96, [nn.Conv2d(3, 96, 3, 2, 1)]
    for n in layers:
        for _ in range(n):
            mods.append(DenseLayer(c, g))
            c += g
        mods += [nn.Conv2d(c, 2 * c, 1), nn.AvgPool2d(2)]
        c *= 2
    return nn.Sequential(*mods, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, 200))


class LRFinder:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.saved = copy.deepcopy(model.state_dict()), copy.deepcopy(optimizer.state_dict())
        if hw:
            hw.mark(self.saved[0], "parameter")

    def range_test(self, batches, factor=1.5):
        self.losses = []
        for x, y in batches:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.losses.append(loss.item())
            for g in self.optimizer.param_groups:
                g["lr"] *= factor

    def reset(self):
        self.model.load_state_dict(self.saved[0])
        self.optimizer.load_state_dict(self.saved[1])


def batches(n):
    for _ in range(n):
        yield torch.rand(16, 3, 96, 96, device="cuda"), torch.randint(200, (16,), device="cuda")


model = densenet().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)
finder = LRFinder(model, optimizer, nn.CrossEntropyLoss())
finder.range_test(batches(4))
finder.reset()
model.train()
for i, (x, y) in enumerate(batches(7)):
    (nn.functional.cross_entropy(model(x), y) / 3).backward()
    if (i + 1) % 3 == 0 or i == 6:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
