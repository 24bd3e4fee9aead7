"""The Trainer of transformers on a small GPT-2; the texts of the third step are long."""
import highwater_gpu
import torch
from torch.utils.data import Dataset, SequentialSampler
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

highwater_gpu.record("memory").start()


class Texts(Dataset):
    def __len__(self):
        return 200

    def __getitem__(self, number):
        words = torch.randint(0, 50257, (128 if number < 16 else 1024,))
        return {"input_ids": words, "labels": words}


class InOrder(Trainer):
    def _get_train_sampler(self, *_):
        return SequentialSampler(self.train_dataset)


arguments = TrainingArguments("out", max_steps=6, per_device_train_batch_size=8, report_to=[], disable_tqdm=True,
                              save_strategy="no")
InOrder(model=GPT2LMHeadModel(GPT2Config(n_layer=24, n_embd=1024, n_head=16)), args=arguments, train_dataset=Texts(),
        callbacks=[highwater_gpu.transformers_callback()]).train()
