"""A loop with accelerate; the third batch is too big."""
import torch
from accelerate import Accelerator
from highwater_gpu import record, step
from torch.utils.data import DataLoader

with record("memory"):
    accelerator = Accelerator(mixed_precision="bf16")
    model = torch.nn.Sequential(*[torch.nn.Linear(4096, 4096) for _ in range(8)])
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(torch.randn(72, 4096), 8))
    for number, batch in enumerate(loader):
        step()
        accelerator.backward(model(batch.repeat(100_000, 1) if number == 2 else batch).square().mean())
        optimizer.step()
        optimizer.zero_grad()
