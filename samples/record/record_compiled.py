"""torch.compile runs graphs of its own; the snapshot names the model's lines in them (samples/compiled/).

usage: record_compiled.py PATH     PyTorch 2.10 or later, on a GPU or by `highwater rehearse`
"""
import sys

import torch
from torch.fx.experimental import _config

_config.enrich_profiler_metadata = True  # gives graphs a file name, by which their lines are found again


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = torch.nn.Linear(256, 1024)
        self.narrow = torch.nn.Linear(1024, 256)

    def forward(self, x):
        h = self.wide(x)
        h = torch.nn.functional.gelu(h)
        return x + self.narrow(h)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(), Block()])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x.softmax(-1).sum()


torch.cuda.memory._record_memory_history(max_entries=100_000, stacks="python")
model = Model().cuda()
compiled = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.AdamW(model.parameters())
for step in range(3):
    compiled(torch.randn(4096, 256, device="cuda")).backward()
    optimizer.step()
    optimizer.zero_grad()
torch.cuda.memory._dump_snapshot(sys.argv[1], augment_with_fx_traces=True)
