"""transformers' Trainer on a small configured GPT-2; `peft` puts LoRA on it, `accumulate` takes two micro-batches a step."""
import sys

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class RandomText(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        ids = torch.randint(0, 12000, (256,))
        return {"input_ids": ids, "labels": ids}


kind = sys.argv[1] if len(sys.argv) > 1 else "plain"
model = GPT2LMHeadModel(GPT2Config(vocab_size=12000, n_positions=256, n_embd=512, n_layer=3, n_head=8))
if kind == "peft":
    from peft import LoraConfig, get_peft_model

    model = get_peft_model(model, LoraConfig(r=16, target_modules=["c_attn", "c_fc"], task_type="CAUSAL_LM"))
args = TrainingArguments(output_dir="out", max_steps=4, per_device_train_batch_size=8, report_to=[], save_strategy="no",
                         gradient_accumulation_steps=2 if kind == "accumulate" else 1, logging_steps=2, bf16=kind == "bf16",
                         eval_strategy="steps" if kind == "eval" else "no", eval_steps=2, disable_tqdm=True,
                         gradient_checkpointing=kind == "checkpoint")
data = RandomText()
Trainer(model=model, args=args, train_dataset=data, eval_dataset=torch.utils.data.Subset(data, range(16))).train()
