"""TRL's trainers on a small configured Qwen: sft, dpo, grpo. A tokenizer of words is made on the spot."""
import sys

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

kind = sys.argv[1]
words = {f"w{i}": i + 3 for i in range(8000)}
tok = Tokenizer(models.WordLevel({"<pad>": 0, "<eos>": 1, "<unk>": 2, **words}, unk_token="<unk>"))
tok.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")
tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
model = Qwen2ForCausalLM(Qwen2Config(vocab_size=8003, hidden_size=512, intermediate_size=1024, num_hidden_layers=3,
                                     num_attention_heads=8, num_key_value_heads=4, pad_token_id=0, eos_token_id=1))
model.save_pretrained("qwen")  # the reference model is read from where the policy came from
model = Qwen2ForCausalLM.from_pretrained("qwen")


def text(n, start=0):
    return " ".join(f"w{(start + i) % 8000}" for i in range(n))


common = dict(output_dir="out", max_steps=3, per_device_train_batch_size=4, report_to=[], save_strategy="no", disable_tqdm=True,
              logging_steps=1, bf16=False)
if kind == "sft":
    from trl import SFTConfig, SFTTrainer

    data = Dataset.from_list([{"text": text(200, i)} for i in range(16)])
    SFTTrainer(model=model, args=SFTConfig(**common, max_length=128), train_dataset=data, processing_class=tokenizer).train()
elif kind == "dpo":
    from trl import DPOConfig, DPOTrainer

    data = Dataset.from_list([{"prompt": text(40, i), "chosen": " " + text(60, i), "rejected": " " + text(60, i + 9)} for i in range(16)])
    DPOTrainer(model=model, args=DPOConfig(**common), train_dataset=data, processing_class=tokenizer).train()
else:
    from trl import GRPOConfig, GRPOTrainer

    data = Dataset.from_list([{"prompt": text(40, i)} for i in range(16)])
    args = GRPOConfig(**common, num_generations=4, max_completion_length=12, beta=0.04, use_vllm=False)
    GRPOTrainer(model=model, args=args, train_dataset=data, processing_class=tokenizer,
                reward_funcs=lambda completions, **_: [float(len(c)) for c in completions]).train()
