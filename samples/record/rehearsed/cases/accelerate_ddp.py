"""A loop with accelerate on two GPUs (DDP): GPT-2 medium, bf16, accumulation of two; rank 1 gets the longer texts."""
import record_memory
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from transformers import GPT2Config, GPT2LMHeadModel

STEPS, ACCUMULATION, BATCH = 4, 2, 4

accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=ACCUMULATION, log_with=None)
record_memory.record(max_entries=500_000).start()
set_seed(accelerator.process_index)
model = GPT2LMHeadModel(GPT2Config(n_embd=1024, n_layer=24, n_head=16))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
model, optimizer = accelerator.prepare(model, optimizer)
length = 512 if accelerator.process_index == 0 else 768
for step in range(STEPS * ACCUMULATION):
    ids = torch.randint(0, 50257, (BATCH, length), device=accelerator.device)
    with accelerator.accumulate(model):
        loss = model(input_ids=ids, labels=ids).loss
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    print(f"rank {accelerator.process_index} step {step} loss {loss.item():.4f} "
          f"max_memory_allocated {torch.cuda.max_memory_allocated() / 2**20:.1f}MB reserved {torch.cuda.memory_reserved() / 2**20:.1f}MB", flush=True)
record_memory.dump("trained")
accelerator.end_training()
