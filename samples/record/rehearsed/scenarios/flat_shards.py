"""ZeRO-2 by hand on two ranks: gradients go into a flat buffer in backward, reduce-scatter, Adam on a shard, all-gather of the weights."""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

hw = sys.modules.get("highwater_labels")


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln, self.up, self.down = nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.ln(x))))


def main(rank, world):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29547", USE_LIBUV="0")
    torch.cuda.set_device(0)
    dist.init_process_group("nccl", rank=rank, world_size=world)
    net = nn.Sequential(nn.Embedding(9000, 640), *[Block(640) for _ in range(4)], nn.Linear(640, 9000)).cuda().bfloat16()
    ps = list(net.parameters())
    n = sum(p.numel() for p in ps)
    n += -n % world
    lo, hi = rank * n // world, (rank + 1) * n // world
    flat = torch.cat([p.detach().flatten() for p in ps] + [torch.zeros(n - sum(p.numel() for p in ps), device="cuda", dtype=torch.bfloat16)])
    i = 0
    for p in ps:
        p.data = flat[i:i + p.numel()].view_as(p)
        i += p.numel()
    master = flat[lo:hi].float()
    m, v = torch.zeros_like(master), torch.zeros_like(master)
    if hw:
        hw.mark(flat, "parameter")
        hw.mark([master, m, v], "optimizer_state")
    for it in range(1, 5):
        if hw:
            hw.step()
        ids = torch.randint(9000, (8, 129), device="cuda")
        loss = nn.functional.cross_entropy(net(ids[:, :-1]).float().flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        g = torch.zeros(n, device="cuda", dtype=torch.bfloat16)
        i = 0
        for p in ps:
            g[i:i + p.numel()] = p.grad.flatten()
            p.grad = None
            i += p.numel()
        shard = torch.empty(hi - lo, device="cuda", dtype=torch.bfloat16)
        dist.reduce_scatter_tensor(shard, g)
        if hw:
            hw.mark([g, shard], "gradient")
            hw.phase("optimizer")
        del g
        s = shard.float() / world
        m.lerp_(s, 0.1)
        v.mul_(0.95).addcmul_(s, s, value=0.05)
        master.addcdiv_(m, v.sqrt().add_(1e-8), value=-1e-3)
        dist.all_gather_into_tensor(flat, master.bfloat16())
        if hw:
            hw.phase("between")
        del s, shard
    time.sleep(3)  # the store is rank 0's
    os._exit(0)


if __name__ == "__main__":
    mp.spawn(main, args=(2,), nprocs=2)
