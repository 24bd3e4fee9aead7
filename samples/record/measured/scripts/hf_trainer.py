"""transformers Trainer: GPT-2 from a config, bf16, checkpointing, evaluation"""
import tempfile, torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

class Data(torch.utils.data.Dataset):
    def __len__(self): return 64
    def __getitem__(self, i):
        ids = torch.randint(0, 50257, (512,), generator=torch.Generator().manual_seed(i))
        return {"input_ids": ids, "labels": ids, "attention_mask": torch.ones_like(ids)}
model = GPT2LMHeadModel(GPT2Config(n_layer=6, n_embd=768, n_head=12))
with tempfile.TemporaryDirectory() as folder:
    args = TrainingArguments(folder, per_device_train_batch_size=8, per_device_eval_batch_size=8, gradient_accumulation_steps=2, max_steps=3,
                             bf16=True, gradient_checkpointing=True, logging_steps=1, eval_strategy="steps", eval_steps=3, save_strategy="no", report_to=[])
    trainer = Trainer(model, args, train_dataset=Data(), eval_dataset=torch.utils.data.Subset(Data(), range(16)))
    print(trainer.train()); print(trainer.evaluate())
