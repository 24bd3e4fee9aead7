"""More of TRL on a small configured Llama: packed SFT with LoRA, reward modelling, DPO with an adapter (the reference is the model without it)."""
import sys

import torch
from datasets import Dataset
from peft import LoraConfig
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, LlamaForSequenceClassification, PreTrainedTokenizerFast

kind = sys.argv[1]
vocabulary = {"<pad>": 0, "<eos>": 1, "<unk>": 2, **{f"t{i}": i + 3 for i in range(9000)}}
base = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
base.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=base, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")
tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
config = dict(vocab_size=9003, hidden_size=512, intermediate_size=1408, num_hidden_layers=4, num_attention_heads=8, num_key_value_heads=8,
              pad_token_id=0, eos_token_id=1)


def words(n, start):
    return " ".join(f"t{(7 * start + i) % 9000}" for i in range(n))


lora = LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "k_proj", "v_proj", "o_proj"], task_type="CAUSAL_LM")
shared = dict(output_dir="out", max_steps=3, report_to=[], save_strategy="no", disable_tqdm=True, logging_steps=1)
if kind == "packed":
    from trl import SFTConfig, SFTTrainer

    rows = Dataset.from_list([{"text": words(40 + i % 50, i)} for i in range(200)])
    args = SFTConfig(**shared, per_device_train_batch_size=2, gradient_accumulation_steps=2, max_length=256, packing=True, packing_strategy="wrapped", bf16=True)
    trainer = SFTTrainer(model=LlamaForCausalLM(LlamaConfig(**config)), args=args, train_dataset=rows, processing_class=tokenizer, peft_config=lora)
elif kind == "reward":
    from trl import RewardConfig, RewardTrainer

    rows = Dataset.from_list([{"chosen": words(90, i), "rejected": words(80, i + 3)} for i in range(24)])
    model = LlamaForSequenceClassification(LlamaConfig(**config, num_labels=1))
    args = RewardConfig(**shared, per_device_train_batch_size=4, max_length=128, bf16=False, gradient_checkpointing=False)
    trainer = RewardTrainer(model=model, args=args, train_dataset=rows, processing_class=tokenizer)
else:
    from trl import DPOConfig, DPOTrainer

    rows = Dataset.from_list([{"prompt": words(40, i), "chosen": " " + words(50, i), "rejected": " " + words(60, i + 9)} for i in range(24)])
    args = DPOConfig(**shared, per_device_train_batch_size=4, beta=0.1, bf16=False, gradient_checkpointing=True, precompute_ref_log_probs=False)
    trainer = DPOTrainer(model=LlamaForCausalLM(LlamaConfig(**config)), args=args, train_dataset=rows, processing_class=tokenizer, peft_config=lora)
trainer.train()
