"""Two ranks, fully_shard (FSDP2) of a Llama of 1.2 billion parameters, bf16 compute with fp32 shards, checkpointed layers."""
import os

import record_memory
import torch
import torch.distributed as dist
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from transformers import LlamaConfig, LlamaForCausalLM

RANK = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(0)
dist.init_process_group("nccl")
record_memory.record(max_entries=500_000).start()
torch.manual_seed(0)
config = LlamaConfig(vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
                     num_key_value_heads=8, head_dim=64, tie_word_embeddings=False, use_cache=False)
with torch.device("meta"):
    model = LlamaForCausalLM(config)
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model.model.layers:
    fully_shard(layer, mp_policy=policy)
fully_shard(model, mp_policy=policy)
model.to_empty(device="cuda")
model.init_weights()
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
for step in range(4):
    ids = torch.randint(0, 128256, (2, 1024), device="cuda")
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(f"[rank{RANK}] step: {step + 1} loss: {loss.item():.4f} memory: {torch.cuda.max_memory_reserved() / 2**30:.2f}GiB", flush=True)
record_memory.dump("trained")
dist.destroy_process_group()
