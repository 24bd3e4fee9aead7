"""Reference case R5: FLAN-T5-XL (2,849,757,184 parameters) fine-tuned on a GPU of 32 GB, batch 8.

usage: r5_flan_t5_xl.py converted|fp32|kept|checked [--steps N]
converted  loaded in bf16 with device_map="auto", then .to(torch.bfloat16), then .to("cuda"), as the case tells it
fp32       the same without a dtype: loaded in fp32, and converted on the GPU
kept       .to() of a copy, with the model before it still named: what really keeps a model three times
checked    dtype and device are looked at first
The cache is emptied after every 4th batch, in place of every 10th, to keep the recording small. Weights are zeros in a sparse file: what a checkpoint holds decides nothing here.
"""
import copy
import json
import os
import struct
import sys

import torch
from transformers import T5Config, T5ForConditionalGeneration

KIND = sys.argv[1]
STEPS = int(sys.argv[sys.argv.index("--steps") + 1]) if "--steps" in sys.argv else 9
BATCH, SOURCE, TARGET, FLUSH_EVERY = 8, 384, 160, 4
FOLDER = "flan-t5-xl"


def config():
    return T5Config(vocab_size=32128, d_model=2048, d_kv=64, d_ff=5120, num_layers=24, num_heads=32, dropout_rate=0.1,
                    feed_forward_proj="gated-gelu", tie_word_embeddings=False, decoder_start_token_id=0)


def write_checkpoint():
    """A safetensors file whose data nobody wrote: a hole."""
    os.makedirs(FOLDER, exist_ok=True)
    config().save_pretrained(FOLDER)
    with torch.device("meta"):
        state = T5ForConditionalGeneration(config()).state_dict()
    header, place = {}, 0
    for name, tensor in state.items():
        if name.endswith("embed_tokens.weight"):
            continue  # the same as shared.weight
        header[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [place, place + 2 * tensor.numel()]}
        place += 2 * tensor.numel()
    header["__metadata__"] = {"format": "pt"}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(f"{FOLDER}/model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + place)


def load():
    dtype = {"fp32": torch.float32}.get(KIND, torch.bfloat16)
    model = T5ForConditionalGeneration.from_pretrained(FOLDER, dtype=dtype, device_map="auto")
    if KIND == "checked":
        return model, None
    if KIND == "kept":
        converted = copy.deepcopy(model).to(torch.bfloat16)
        moved = copy.deepcopy(converted).to("cuda")
        return moved, (model, converted)
    model = model.to(torch.bfloat16)
    return model.to("cuda"), None


def main():
    torch.manual_seed(0)
    write_checkpoint()
    model, kept = load()
    model.gradient_checkpointing_enable()
    model.config.use_cache = False
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
    total = torch.cuda.get_device_properties(0).total_memory
    for step in range(1, STEPS + 1):
        inputs = torch.randint(2, 32000, (BATCH, SOURCE)).cuda()
        labels = torch.randint(2, 32000, (BATCH, TARGET)).cuda()
        loss = model(input_ids=inputs, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % FLUSH_EVERY == 0:
            torch.cuda.empty_cache()
        used = torch.cuda.memory_reserved()
        print(f"Step {step} | Loss: {loss.item():.4f}")
        print(f"GPU Memory: {used / 2**30:.1f}GB / {total / 2**30:.0f}GB ({100 * used / total:.0f}% utilization)", flush=True)


main()
