"""Accelerate: accumulate(), gradient checkpointing of a configured Mistral, bf16 mixed precision, evaluation with gathered losses."""
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import MistralConfig, MistralForCausalLM, get_cosine_schedule_with_warmup


def get_dataloaders(batch_size):
    tokens = torch.randint(0, 14000, (48, 384))
    def collate_fn(rows):
        ids = torch.stack(rows)
        return {"input_ids": ids, "labels": ids.clone()}
    return (DataLoader(list(tokens[:40]), batch_size=batch_size, collate_fn=collate_fn, shuffle=True),
            DataLoader(list(tokens[40:]), batch_size=batch_size, collate_fn=collate_fn))


def evaluate(accelerator, model, dl):
    model.eval()
    losses = []
    for batch in dl:
        with torch.no_grad():
            outputs = model(**batch)
        losses.append(accelerator.gather_for_metrics(outputs.loss.repeat(4)))
    model.train()
    return torch.cat(losses).mean()


def training_function():
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
    config = MistralConfig(vocab_size=14000, hidden_size=640, intermediate_size=1792, num_hidden_layers=5, num_attention_heads=10,
                           num_key_value_heads=2, sliding_window=None)
    model = MistralForCausalLM(config)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    train, val = get_dataloaders(4)
    no_decay = ["norm"]
    groups = [{"params": [p for n, p in model.named_parameters() if not any(s in n for s in no_decay)], "weight_decay": 0.1},
              {"params": [p for n, p in model.named_parameters() if any(s in n for s in no_decay)], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=2e-4)
    sched = get_cosine_schedule_with_warmup(optimizer, 2, 20)
    model, optimizer, train, val, sched = accelerator.prepare(model, optimizer, train, val, sched)
    model.train()
    for i, batch in enumerate(train):
        with accelerator.accumulate(model):
            loss = model(**batch, use_cache=False).loss
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            sched.step()
            optimizer.zero_grad()
        if i == 5:
            evaluate(accelerator, model, val)


training_function()
