"""One run as its loggers see it: memory_stats() a line a step, the same figures in W&B offline files."""
import json

import torch
import wandb
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
run = wandb.init(project="memory", name="gpt2", mode="offline", settings=wandb.Settings(x_disable_stats=True, x_disable_meta=True, x_disable_machine_info=True, save_code=False, disable_git=True))
model = GPT2LMHeadModel(GPT2Config(n_layer=6, use_cache=False)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
with open("memory_stats.jsonl", "w", encoding="utf-8") as lines:
    for step in range(12):
        ids = torch.randint(0, 50257, (4, 128 + 32 * (step % 4)), device="cuda")
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        stats = torch.cuda.memory_stats()
        lines.write(json.dumps({"step": step, **stats}) + "\n")
        run.log({"train/loss": loss.item(), "perf/max_memory_allocated_gb": torch.cuda.max_memory_allocated() / 2**30,
                 "perf/max_memory_reserved_gb": torch.cuda.max_memory_reserved() / 2**30}, step=step)
run.finish()
