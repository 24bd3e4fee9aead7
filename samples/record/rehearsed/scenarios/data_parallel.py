# nn.DataParallel over two GPUs.
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, w=2048, n=4):
        super().__init__()
        self.inp = nn.Linear(1024, w)
        self.mid = nn.ModuleList([nn.Linear(w, w) for _ in range(n)])
        self.out = nn.Linear(w, 1000)
    def forward(self, x):
        x = self.inp(x)
        for m in self.mid:
            x = x + torch.tanh(m(x))
        return self.out(x)

net = nn.DataParallel(Net().cuda(), device_ids=[0, 1])
opt = torch.optim.SGD(net.parameters(), lr=.01, momentum=.9)
for step in range(4):
    x, y = torch.randn(2048, 1024).cuda(), torch.randint(1000, (2048,)).cuda()
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
