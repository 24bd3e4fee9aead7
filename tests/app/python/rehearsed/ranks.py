"""Two ranks of torchrun; the third step is too big for both."""
import os

import torch
from highwater_gpu import record, step
from torch.nn.parallel import DistributedDataParallel

with record("memory"):
    torch.distributed.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = DistributedDataParallel(torch.nn.Sequential(*[torch.nn.Linear(4096, 4096) for _ in range(8)]).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    for number in range(5):
        step()
        model(torch.randn(4096 if number < 2 else 400_000, 4096, device="cuda")).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
