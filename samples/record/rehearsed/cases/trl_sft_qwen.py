"""TRL's SFTTrainer on Qwen2.5 0.5B with texts of many lengths, padded to the longest of a batch; full fine-tuning in bf16."""
import os

import record_memory
import torch
from datasets import Dataset
from transformers import Qwen2Config, Qwen2ForCausalLM, set_seed
from trl import SFTConfig, SFTTrainer
from words import texts, tokenizer

set_seed(0)
record_memory.record(max_entries=int(os.environ.get("RECORD_MEMORY_ENTRIES") or 500_000)).start()
config = Qwen2Config(vocab_size=151936, hidden_size=896, intermediate_size=4864, num_hidden_layers=24, num_attention_heads=14,
                     num_key_value_heads=2, max_position_embeddings=32768, tie_word_embeddings=True, pad_token_id=0, eos_token_id=1)
torch.set_default_dtype(torch.bfloat16)
model = Qwen2ForCausalLM(config).cuda()
torch.set_default_dtype(torch.float32)
rows = Dataset.from_list([{"text": text} for text in texts(48, 60, 700)])
arguments = SFTConfig(output_dir="out", max_steps=6, per_device_train_batch_size=4, gradient_accumulation_steps=1, max_length=1024, bf16=True,
                      gradient_checkpointing=False, logging_steps=1, save_strategy="no", report_to=[], disable_tqdm=True)
SFTTrainer(model=model, args=arguments, train_dataset=rows, processing_class=tokenizer(8000)).train()
record_memory.dump("trained")
