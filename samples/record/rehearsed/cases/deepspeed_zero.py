"""DeepSpeed ZeRO on two ranks: GPT-2 medium in bf16, states and gradients sharded (stage 2), checkpointed layers.

usage: deepspeed_zero.py [2|3]
"""
import os
import sys

import deepspeed
import record_memory
import torch
from transformers import GPT2Config, GPT2LMHeadModel

stage = int(sys.argv[1]) if len(sys.argv) > 1 else 2
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
deepspeed.init_distributed("nccl")
record_memory.record(max_entries=500_000).start()
torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_embd=1024, n_layer=24, n_head=16, use_cache=False))
settings = {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 2, "bf16": {"enabled": True},
            "zero_optimization": {"stage": stage, "overlap_comm": True, "reduce_bucket_size": 50_000_000, "allgather_bucket_size": 50_000_000},
            "optimizer": {"type": "AdamW", "params": {"lr": 1e-4, "torch_adam": True}}, "gradient_clipping": 1.0, "steps_per_print": 1,
            "wall_clock_breakdown": False}
engine, optimizer, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=settings)
for step in range(8):
    ids = torch.randint(0, 50257, (2, 512), device=engine.device)
    loss = engine(input_ids=ids, labels=ids).loss
    engine.backward(loss)
    engine.step()
    if step % 2:
        deepspeed.runtime.utils.see_memory_usage(f"after step {step // 2}", force=True)
record_memory.dump("trained")
os._exit(0)
