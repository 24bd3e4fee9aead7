"""TRL's GRPOTrainer on Qwen2.5 0.5B: groups of 8, completions of 48, a reference (beta 0.04), two micro-batches an update."""
import os

import record_memory
import torch
from datasets import Dataset
from transformers import Qwen2Config, Qwen2ForCausalLM, set_seed
from trl import GRPOConfig, GRPOTrainer
from words import texts, tokenizer

set_seed(0)
record_memory.record(max_entries=int(os.environ.get("RECORD_MEMORY_ENTRIES") or 500_000)).start()
config = Qwen2Config(vocab_size=151936, hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14,
                     num_key_value_heads=2, max_position_embeddings=32768, tie_word_embeddings=True, pad_token_id=0, eos_token_id=1,
                     dtype="bfloat16")
with torch.device("meta"):
    size = sum(parameter.numel() for parameter in Qwen2ForCausalLM(config).parameters())
torch.set_default_dtype(torch.bfloat16)
Qwen2ForCausalLM(config).save_pretrained("qwen")  # policy and reference are read from here
torch.set_default_dtype(torch.float32)
words = tokenizer(8000)
words.save_pretrained("qwen")
rows = Dataset.from_list([{"prompt": text} for text in texts(32, 40, 120)])
arguments = GRPOConfig(output_dir="out", max_steps=4, per_device_train_batch_size=8, num_generations=8, gradient_accumulation_steps=2,
                       max_completion_length=48, beta=0.04, learning_rate=1e-6, bf16=True, gradient_checkpointing=False, logging_steps=1,
                       use_vllm=False, save_strategy="no", report_to=[], disable_tqdm=True, model_init_kwargs={"dtype": "bfloat16"})
GRPOTrainer(model="qwen", args=arguments, train_dataset=rows, processing_class=words,
            reward_funcs=lambda completions, **_: [float(len(text)) for text in completions]).train()
record_memory.dump("trained")
