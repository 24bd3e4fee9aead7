"""Trainer of transformers: whisper with accumulation and half precision, t5 with Adafactor, prefix tuning by peft."""
import sys

import torch
from torch.utils.data import Dataset
from transformers import (GPT2Config, GPT2LMHeadModel, Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config, T5ForConditionalGeneration, Trainer,
                          TrainingArguments, WhisperConfig, WhisperForConditionalGeneration)

kind = sys.argv[1]


class Items(Dataset):
    def __init__(self, make, n=48):
        self.make, self.n = make, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.make(i)


common = dict(output_dir="out", max_steps=4, report_to=[], save_strategy="no", logging_steps=1, disable_tqdm=True)
if kind == "whisper":
    config = WhisperConfig(vocab_size=8000, d_model=384, encoder_layers=3, decoder_layers=3, encoder_attention_heads=6, decoder_attention_heads=6,
                           encoder_ffn_dim=1536, decoder_ffn_dim=1536, max_source_positions=750, pad_token_id=0, bos_token_id=1, eos_token_id=2,
                           decoder_start_token_id=3, suppress_tokens=None, begin_suppress_tokens=None)
    model = WhisperForConditionalGeneration(config)
    data = Items(lambda i: {"input_features": torch.randn(80, 1500), "labels": torch.randint(4, 8000, (48,))})
    args = Seq2SeqTrainingArguments(**common, per_device_train_batch_size=4, gradient_accumulation_steps=3, fp16=True, learning_rate=1e-5)
    trainer = Seq2SeqTrainer(model=model, args=args, train_dataset=data)
elif kind == "t5":
    config = T5Config(vocab_size=10000, d_model=384, d_kv=64, d_ff=1024, num_layers=4, num_heads=6, decoder_start_token_id=0, feed_forward_proj="gated-gelu")
    model = T5ForConditionalGeneration(config)
    data = Items(lambda i: {"input_ids": torch.randint(2, 10000, (192,)), "labels": torch.randint(2, 10000, (64,))})
    args = Seq2SeqTrainingArguments(**common, per_device_train_batch_size=8, optim="adafactor", eval_strategy="steps", eval_steps=2)
    trainer = Seq2SeqTrainer(model=model, args=args, train_dataset=data, eval_dataset=Items(data.make, 16))
else:
    from peft import PrefixTuningConfig, get_peft_model

    model = GPT2LMHeadModel(GPT2Config(vocab_size=16000, n_embd=512, n_layer=4, n_head=8, n_positions=512))
    model = get_peft_model(model, PrefixTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=20, prefix_projection=True, encoder_hidden_size=512))

    def make(i):
        ids = torch.randint(0, 16000, (200,))
        return {"input_ids": ids, "labels": ids}

    args = TrainingArguments(**common, per_device_train_batch_size=8, learning_rate=1e-2)
    trainer = Trainer(model=model, args=args, train_dataset=Items(make))
trainer.train()
