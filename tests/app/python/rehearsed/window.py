"""A loop of which two steps are recorded by themselves; none is too big."""
import torch
from highwater_gpu import record, step

with record("memory", window=(2, 3)):
    model = torch.nn.Linear(4096, 4096).cuda()
    for number in range(6):
        with step():
            model(torch.randn(64, 4096, device="cuda")).square().mean().backward()
