"""Two ranks that shard by hand: each owns half of the weights as fp32 with momentum; before a layer runs they broadcast it in bf16, gradients are reduced to their owner."""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

hw = sys.modules.get("highwater_labels")


class Net(nn.Module):
    def __init__(self, d=1024, n=4):
        super().__init__()
        self.emb = nn.Embedding(6000, d)
        self.ff = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 3 * d), nn.GELU(), nn.Linear(3 * d, d)) for _ in range(n))
        self.head = nn.Linear(d, 6000, bias=False)

    def forward(self, x):
        x = self.emb(x)
        for f in self.ff:
            x = x + f(x)
        return self.head(x)


class Server:
    def __init__(self, net, rank, world):
        self.names = [(i % world, p) for i, p in enumerate(net.parameters())]
        self.rank, self.world = rank, world
        self.shard = [(p, p.detach().float().clone(), torch.zeros(p.shape, device=p.device)) for owner, p in self.names if owner == rank]
        if hw:
            hw.mark([(w, m) for _, w, m in self.shard], "optimizer_state")

    def pull(self):
        for owner, p in self.names:
            dist.broadcast(p.data, owner)

    def push(self):
        for owner, p in self.names:
            dist.reduce(p.grad, owner)

    @torch.no_grad()
    def apply(self, lr=0.1):
        for p, w, m in self.shard:
            m.mul_(0.9).add_(p.grad.float() / self.world)
            w.sub_(m, alpha=lr)
            p.copy_(w)


def work(rank, world):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29541", USE_LIBUV="0")
    torch.cuda.set_device(0)
    dist.init_process_group("nccl", rank=rank, world_size=world)
    net = Net().cuda().bfloat16()
    server = Server(net, rank, world)
    for it in range(4):
        if hw:
            hw.step()
        server.pull()
        ids = torch.randint(6000, (8, 129), device="cuda")
        nn.functional.cross_entropy(net(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten()).backward()
        server.push()
        if hw:
            hw.phase("optimizer")
        server.apply()
        if hw:
            hw.phase("between")
        for p in net.parameters():
            p.grad = None
    time.sleep(3)  # the store is rank 0's
    os._exit(0)


if __name__ == "__main__":
    mp.spawn(work, args=(2,), nprocs=2)
