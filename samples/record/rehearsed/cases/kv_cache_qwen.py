"""Inference with a KV cache: Qwen2.5 0.5B in bf16 answers three batches of prompts by generate(); the caches are kept by mistake
with --keep (past_key_values of every answer)."""
import sys

import record_memory
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

torch.manual_seed(0)
record_memory.record(max_entries=500_000).start()
config = Qwen2Config(vocab_size=151936, hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14,
                     num_key_value_heads=2, tie_word_embeddings=True, pad_token_id=0, eos_token_id=1, bos_token_id=2)
torch.set_default_dtype(torch.bfloat16)
model = Qwen2ForCausalLM(config).cuda().eval()
torch.set_default_dtype(torch.float32)
answers = []
with torch.inference_mode():
    for batch in range(3):
        prompts = torch.randint(3, 150000, (16, 512 + 128 * batch), device="cuda")
        output = model.generate(prompts, max_new_tokens=16, do_sample=False, return_dict_in_generate=True)
        answers.append(output if "--keep" in sys.argv else output.sequences.cpu())
        print(f"batch {batch}: {tuple(output.sequences.shape)}, {torch.cuda.memory_allocated() / 2**20:.0f} MiB allocated", flush=True)
record_memory.dump("trained")
