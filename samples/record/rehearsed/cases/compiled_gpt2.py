"""torch.compile on GPT-2: four layers, six steps of AdamW.

usage: compiled_gpt2.py BACKEND     aot_eager: graphs of AOTAutograd, run op by op; cudagraphs: captured as well, in a pool of their own.
Inductor writes kernels of Triton, which a rehearsal cannot run.
"""
import sys

import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=4, use_cache=False)).cuda()
compiled = torch.compile(model, backend=sys.argv[1])
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(6):
    ids = torch.randint(0, 50257, (4, 256), device="cuda")
    loss = compiled(input_ids=ids, labels=ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step} max_memory_allocated {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB", flush=True)
