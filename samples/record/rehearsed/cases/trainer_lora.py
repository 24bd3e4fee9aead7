"""Trainer of transformers: LoRA on Llama 3.2 1B (bf16, checkpointing), as a command of the trainer's documentation would.

usage: trainer_lora.py [--keep-eval-logits]     with it, evaluation gathers all logits on the GPU (no preprocess_logits_for_metrics)
"""
import sys

import record_memory
import torch
from peft import LoraConfig, get_peft_model
from torch.utils.data import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments, set_seed

KEEP = "--keep-eval-logits" in sys.argv


class Texts(Dataset):
    def __init__(self, count):
        self.ids = torch.randint(3, 128000, (count, 512), generator=torch.Generator().manual_seed(count))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, number):
        return {"input_ids": self.ids[number], "labels": self.ids[number]}


def main():
    set_seed(0)
    record_memory.record(max_entries=500_000).start()
    config = LlamaConfig(vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
                         num_key_value_heads=8, head_dim=64, max_position_embeddings=131072, rope_theta=500000.0,
                         tie_word_embeddings=True, dtype="bfloat16", use_cache=False)
    with torch.device("cuda"):
        torch.set_default_dtype(torch.bfloat16)
        model = LlamaForCausalLM(config)
        torch.set_default_dtype(torch.float32)
    model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05, task_type="CAUSAL_LM",
                                             target_modules=["q_proj", "k_proj", "v_proj", "o_proj"]))
    model.enable_input_require_grads()
    arguments = TrainingArguments(output_dir="out", max_steps=8, per_device_train_batch_size=2, gradient_accumulation_steps=2, bf16=True,
                                  gradient_checkpointing=True, learning_rate=2e-4, logging_steps=1, eval_strategy="steps", eval_steps=4,
                                  per_device_eval_batch_size=2, save_strategy="no", report_to=["tensorboard"], disable_tqdm=True,
                                  skip_memory_metrics=False)
    trainer = Trainer(model=model, args=arguments, train_dataset=Texts(64), eval_dataset=Texts(12),
                      compute_metrics=(lambda prediction: {}) if KEEP else None)
    trainer.train()
    record_memory.dump("trained")
    trainer.save_state()


main()
