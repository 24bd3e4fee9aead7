"""A classifier of sequences; recording begins after set-up ("setup") or after two warm-up steps ("warm"); "steady" leaves
gradients allocated between steps; "momentum" has one buffer a parameter; "manual" updates without torch.optim."""
import sys

import torch
import torch.nn as nn

when = sys.argv[1]


class Conv1dNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv1d(i, o, 5, padding=2) for i, o in ((64, 512), (512, 1024), (1024, 1024), (1024, 512))])
        self.fc = nn.Linear(512, 5000)

    def forward(self, x):
        for c in self.layers:
            x = nn.functional.gelu(c(x))
        return self.fc(x.amax(-1))


model = Conv1dNet().cuda()
hw = sys.modules.get("highwater_labels")
momentum = {p: torch.zeros_like(p) for p in model.parameters()} if when == "manual" else {}
if hw:
    hw.mark(momentum, "optimizer_state")
if when == "momentum":
    optim = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
else:
    optim = torch.optim.AdamW(model.parameters(), weight_decay=0.05)
data = [(torch.randn(16, 64, 256).cuda(), torch.randint(0, 5000, (16,)).cuda()) for _ in range(2)]


def step(i):
    x, y = data[i % 2]
    if hw and momentum:
        hw.step()
    optim.zero_grad(set_to_none=when != "steady")
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    if not momentum:
        return optim.step()
    if hw:
        hw.phase("optimizer")
    with torch.no_grad():
        for p, m in momentum.items():
            p.sub_(m.mul_(0.9).add_(p.grad), alpha=0.1)
    if hw:
        hw.phase("between")


if when != "setup":
    step(0)
    step(1)
torch.cuda.memory._record_memory_history(max_entries=100_000)
for i in range(4):
    step(i)
torch.cuda.memory._dump_snapshot("late.pickle")
