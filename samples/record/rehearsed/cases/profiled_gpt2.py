"""torch.profiler around four steps of GPT-2: a trace with memory events and stacks, and memory timelines by category, as the
documentation tells it. On a rehearsed GPU there are no kernels, which is said; on the CPU (--cpu) all is real.
"""
import sys

import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from transformers import GPT2Config, GPT2LMHeadModel

DEVICE = "cpu" if "--cpu" in sys.argv else "cuda"


def on_ready(profiler):
    profiler.export_chrome_trace(f"{DEVICE}.pt.trace.json")
    profiler.export_memory_timeline(f"{DEVICE}.timeline.raw.json.gz", device="cpu" if DEVICE == "cpu" else "cuda:0")
    profiler.export_memory_timeline(f"{DEVICE}.timeline.json.gz", device="cpu" if DEVICE == "cpu" else "cuda:0")


def main():
    torch.manual_seed(0)
    config = GPT2Config(n_embd=256, n_layer=2, n_head=4, vocab_size=8000) if DEVICE == "cpu" else GPT2Config(n_layer=4)
    model = GPT2LMHeadModel(config).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters())
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=0, warmup=1, active=3), profile_memory=True, record_shapes=True,
                 with_stack=True, on_trace_ready=on_ready) as profiler:
        for _ in range(4):
            ids = torch.randint(0, config.vocab_size, (2, 128), device=DEVICE)
            with record_function("## forward ##"):
                loss = model(input_ids=ids, labels=ids, use_cache=False).loss
            with record_function("## backward ##"):
                loss.backward()
            with record_function("## optimizer ##"):
                optimizer.step()
                optimizer.zero_grad()
            profiler.step()


main()
