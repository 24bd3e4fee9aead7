"""Recording is switched on in step 3 of a running training, as guides advise; `ring` keeps few entries, `stop` switches it off behind the snapshot."""
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

MODE = sys.argv[1]


class SE(nn.Module):
    def __init__(self, c, r=4):
        super().__init__()
        self.a, self.b = nn.Conv2d(c, c // r, 1), nn.Conv2d(c // r, c, 1)

    def forward(self, x):
        return x * torch.sigmoid(self.b(F.silu(self.a(x.mean((2, 3), keepdim=True)))))


class MBConv(nn.Module):
    def __init__(self, i, o, s=1, e=4):
        super().__init__()
        m = i * e
        self.body = nn.Sequential(nn.Conv2d(i, m, 1, bias=False), nn.BatchNorm2d(m), nn.SiLU(True), nn.Conv2d(m, m, 3, s, 1, groups=m, bias=False), nn.BatchNorm2d(m),
                                  nn.SiLU(True), SE(m), nn.Conv2d(m, o, 1, bias=False), nn.BatchNorm2d(o))
        self.skip = i == o and s == 1

    def forward(self, x):
        return x + self.body(x) if self.skip else self.body(x)


def build():
    return nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.SiLU(True), MBConv(32, 48, 2), MBConv(48, 48), MBConv(48, 96, 2),
                         MBConv(96, 96), MBConv(96, 192, 2), MBConv(192, 192), MBConv(192, 384, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(384, 1000))


def fit_one_batch(net, optimizer, crit, inp, target):
    inp, target = inp.cuda(non_blocking=True), target.cuda(non_blocking=True)
    with torch.autocast("cuda", torch.bfloat16):
        output = net(inp)
        loss = crit(output, target)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_value_(net.parameters(), 1.0)
    optimizer.step()
    return output.argmax(1)


net = build().cuda()
optimizer = torch.optim.RMSprop(net.parameters(), lr=0.01, alpha=0.9, momentum=0.9, weight_decay=1e-5)
crit = nn.CrossEntropyLoss(label_smoothing=0.1)
for it in range(8):
    if it == 3:
        torch.cuda.memory._record_memory_history(max_entries=2500 if MODE == "ring" else 100000)
    fit_one_batch(net, optimizer, crit, torch.rand(16, 3, 192, 192), torch.randint(1000, (16,)))
torch.cuda.memory._dump_snapshot("part.pickle")
if MODE == "stop":
    torch.cuda.memory._record_memory_history(enabled=None)
