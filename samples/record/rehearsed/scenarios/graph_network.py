"""Message passing with index_add: features of the edges, sums at the nodes."""
import torch
import torch.nn as nn


class EdgeConv(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * d, d), nn.ReLU(), nn.Linear(d, d))
        self.update = nn.GRUCell(d, d)

    def forward(self, h, edges):
        src, dst = edges
        m = self.message(torch.cat((h[src], h[dst]), dim=-1))
        gathered = torch.zeros_like(h).index_add_(0, dst, m)
        return self.update(gathered, h)


class GraphNet(nn.Module):
    def __init__(self, f_in=500, d=256, rounds=3, classes=40):
        super().__init__()
        self.lin_in = nn.Linear(f_in, d)
        self.convs = nn.ModuleList(EdgeConv(d) for _ in range(rounds))
        self.lin_out = nn.Linear(d, classes)

    def forward(self, x, edges):
        h = self.lin_in(x).relu()
        for conv in self.convs:
            h = conv(h, edges) + h
        return self.lin_out(h)


def run():
    dev = "cuda:0"
    n, e = 20000, 60000
    x, y = torch.randn(n, 500, device=dev), torch.randint(0, 40, (n,), device=dev)
    edges = torch.randint(0, n, (2, e), device=dev)
    train_idx = torch.arange(0, n, 2, device=dev)
    net = GraphNet().to(dev)
    opt = torch.optim.Adagrad(net.parameters(), lr=0.01)
    for epoch in range(5):
        net.train()
        opt.zero_grad()
        out = net(x, edges)
        loss = nn.functional.cross_entropy(out[train_idx], y[train_idx])
        loss.backward()
        opt.step()
        net.eval()
        with torch.no_grad():
            acc = (net(x, edges).argmax(-1) == y).float().mean()


run()
