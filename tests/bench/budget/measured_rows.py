#!/usr/bin/env python3
"""Error of `highwater budget` over published measurements of real GPUs.

    measured_rows.py --highwater build/ci/bin/highwater [--part design|held-out|all] measured-peaks.tsv

Each row of the table that a configuration can express becomes one (ROWS below, from the row's own words and
the model's public config.json), `highwater budget --json` computes it, and the relative error of the
expected bytes is printed, then median, 90th percentile and worst of the absolute errors. Rows are left out
where no configuration can say what ran: convolutions, single modules, forward alone, hybrid attention,
compiled models, torchtitan's selection of operators (M157), and runs without a figure. M144 and M146 are
left out: their figure is below weights, gradients and AdamW's state of the model that they name. Rows whose
number is a multiple of 3 are held out: the formulas were designed on the others.

Only the setting that the row states is given. Reserved bytes and those of nvidia-smi include what the
allocator keeps unused, which a budget does not count; outside bytes are given where the row names them.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

MIB = 1 << 20
UNITS = {"B": 1, "MiB": MIB, "GiB": 1 << 30, "GB (1e9)": 10**9, "GB": 10**9, "GB (read off memory_viz)": 10**9}


def gpt(hidden, layers, heads, vocab, positions=1024, **more):
    return {"family": "gpt2", "hidden": hidden, "layers": layers, "heads": heads, "vocab": vocab, **more}


def llama(hidden, layers, heads, intermediate, vocab, kv=None, **more):
    return {"family": "llama", "hidden": hidden, "layers": layers, "heads": heads, "kv_heads": kv or heads,
            "intermediate": intermediate, "vocab": vocab, **more}


# Encoders without a language-model head: their parameters are given, and no vocabulary.
BERT = {"family": "gpt2", "parameters": 109_483_778, "hidden": 768, "layers": 12, "heads": 12}
DISTILBERT = {"family": "gpt2", "parameters": 66_955_010, "hidden": 768, "layers": 6, "heads": 12}
BERT_LARGE = {"family": "gpt2", "parameters": 335_143_938, "hidden": 1024, "layers": 24, "heads": 16}
VIT_L = {"family": "gpt2", "parameters": 304_326_632, "hidden": 1024, "layers": 24, "heads": 16, "seq_len": 197}
# Models of Hugging Face: the loss is that of transformers, which computes in fp32.
GPT2 = {"model": {"model_type": "gpt2", "vocab_size": 50257, "n_embd": 768, "n_layer": 12, "n_head": 12,
                  "n_positions": 1024}}
DISTILGPT2 = {"model": {**GPT2["model"], "n_layer": 6}}
GPT_NEO = {"model": {**GPT2["model"], "n_positions": 2048}, "attention": "eager"}  # it has no SDPA
CEREBRAS = {"model": {**GPT2["model"], "n_layer": 10, "n_positions": 2048, "activation_function": "gelu"}}
T5_SMALL = {"model": {"model_type": "t5", "vocab_size": 32128, "d_model": 512, "d_kv": 64, "d_ff": 2048,
                      "num_layers": 6, "num_heads": 8}, "attention": "eager"}  # it has no SDPA
QWEN3_4B = {"model": {"model_type": "qwen3", "vocab_size": 151936, "hidden_size": 2560, "intermediate_size": 9728,
                      "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8,
                      "head_dim": 128, "tie_word_embeddings": True}}
QWEN2_15B = {"model": {"model_type": "qwen2", "vocab_size": 151936, "hidden_size": 1536, "intermediate_size": 8960,
                       "num_hidden_layers": 28, "num_attention_heads": 12, "num_key_value_heads": 2,
                       "tie_word_embeddings": False}}
LLAMA32_3B = {"model": {"model_type": "llama", "vocab_size": 128256, "hidden_size": 3072, "intermediate_size": 8192,
                        "num_hidden_layers": 28, "num_attention_heads": 24, "num_key_value_heads": 8,
                        "head_dim": 128, "tie_word_embeddings": True}}
# The book's GPT-2: an untied head, its own GELU of many kernels until the row that replaces it.
BOOK = gpt(768, 12, 12, 50257, parameters=163_009_536, batch=8, seq_len=1024, optimizer="adamw",
           logits_dtype="MODEL")
CS336_SMALL = llama(768, 12, 12, 3072, 10000, parameters=128_625_408, seq_len=256, batch=64, attention="eager",
                    optimizer="none")
CS336_LARGE = llama(1280, 36, 20, 5120, 10000, parameters=969_411_840, seq_len=256, batch=32, attention="eager",
                    optimizer="none")
CS336_27B = llama(2560, 32, 32, 10240, 10000, batch=4, attention="eager", optimizer="adamw", dtype="fp32")
AUTOCAST = {"dtype": "fp32", "activations_dtype": "bf16"}
T4 = {**AUTOCAST, "gpu": "Tesla T4"}  # torch emulates bf16 there
XMEM = {"dtype": "fp32", "seq_len": 128}
LITGPT = {"dtype": "bf16", "seq_len": 512, "optimizer": "adamw"}
LLAMA2_7B = llama(4096, 32, 32, 11008, 32000)


def row(model, **settings):
    return {**model, **settings}


ROWS = {
    "M001": row(GPT2, **T4, batch=4, seq_len=128, optimizer="adamw"),
    "M003": row(GPT2, **T4, batch=4, seq_len=128, optimizer="adamw", outside_bytes=141426688),
    "M005": row(GPT2, **T4, batch=8, seq_len=256, optimizer="adamw"),
    "M007": row(DISTILBERT, **T4, batch=4, seq_len=128, optimizer="adamw"),
    "M009": row(DISTILBERT, **T4, batch=4, seq_len=128, optimizer="adamw", outside_bytes=141426688),
    "M011": row(DISTILBERT, **T4, batch=8, seq_len=256, optimizer="adamw"),
    "M013": row(BERT, **T4, batch=4, seq_len=128, optimizer="adamw"),
    "M015": row(BERT, **T4, batch=4, seq_len=128, optimizer="adamw", outside_bytes=141426688),
    "M017": row(BERT, **T4, batch=8, seq_len=256, optimizer="adamw"),
    "M025": row(DISTILGPT2, **XMEM, batch=10, optimizer="adamw"),
    "M026": row(DISTILGPT2, **XMEM, batch=30, optimizer="adamw"),
    "M027": row(DISTILGPT2, **XMEM, batch=20, optimizer="adamw"),
    "M028": row(GPT_NEO, **XMEM, batch=10, optimizer="adamw"),
    "M029": row(GPT_NEO, **XMEM, batch=25, optimizer="adamw"),
    "M031": row(GPT_NEO, **XMEM, batch=35, optimizer="sgd"),
    "M032": row(T5_SMALL, **XMEM, batch=10, optimizer="adamw"),
    "M033": row(T5_SMALL, **XMEM, batch=15, optimizer="sgd"),
    "M034": row(T5_SMALL, **XMEM, batch=25, optimizer="adamw"),
    "M035": row(CEREBRAS, **XMEM, batch=10, optimizer="adamw"),
    "M036": row(CEREBRAS, **XMEM, batch=20, optimizer="adamw"),
    "M037": row(CEREBRAS, **XMEM, batch=25, optimizer="sgd"),
    "M039": row(QWEN3_4B, **XMEM, batch=1, optimizer="sgd"),
    "M041": row(QWEN2_15B, **XMEM, batch=1, optimizer="sgd"),
    "M043": row(LLAMA32_3B, **XMEM, batch=1, optimizer="adafactor"),
    "M079": row(VIT_L, dtype="fp32", batch=64, optimizer="adamw"),
    "M080": row(VIT_L, dtype="fp32", batch=64, optimizer="adamw"),
    "M081": row(VIT_L, **AUTOCAST, batch=64, optimizer="adamw"),
    "M082": row(VIT_L, dtype="bf16", batch=64, optimizer="adamw"),
    "M083": row(VIT_L, dtype="bf16", batch=16, optimizer="adamw"),
    "M084": row(VIT_L, dtype="bf16", batch=4, optimizer="adamw", accumulation=4),
    "M085": row(VIT_L, dtype="bf16", batch=4, optimizer="sgd", accumulation=4),
    "M089": row(BOOK, dtype="fp32", attention="eager", activation_function="gelu_new"),
    "M090": row(BOOK, dtype="fp32", attention="eager", activation_function="gelu_new"),
    "M091": row(BOOK, dtype="bf16", attention="eager", activation_function="gelu_new"),
    "M092": row(BOOK, dtype="bf16", attention="eager"),
    "M093": row(BOOK, dtype="bf16", attention="flash"),
    "M098": row(CS336_SMALL, dtype="fp32"),
    "M100": row(CS336_SMALL, **AUTOCAST),
    "M101": row(CS336_LARGE, dtype="fp32"),
    "M103": row(CS336_LARGE, **AUTOCAST),
    "M115": row(CS336_27B, seq_len=128),
    "M117": row(CS336_27B, seq_len=256),
    "M120": row(CS336_27B, seq_len=128, activations_dtype="bf16"),
    "M122": row(CS336_27B, seq_len=256, activations_dtype="bf16"),
    "M127": row(BERT_LARGE, dtype="fp32", batch=1, seq_len=512, accumulation=4, optimizer="adamw",
                attention="eager", outside_bytes=1343 * MIB),
    "M129": row(BERT_LARGE, dtype="fp32", activations_dtype="fp16", batch=4, seq_len=512, optimizer="adamw",
                attention="eager", outside_bytes=1343 * MIB),
    "M131": row(BERT_LARGE, dtype="fp32", batch=4, seq_len=512, optimizer="adafactor", attention="eager",
                outside_bytes=1343 * MIB),
    "M133": row(BERT_LARGE, dtype="fp32", batch=4, seq_len=512, optimizer="adamw-8bit", attention="eager",
                outside_bytes=1343 * MIB),
    "M142": row(llama(2048, 22, 32, 5632, 32000, 4), **LITGPT, batch=4),
    "M143": row(llama(2048, 22, 32, 5632, 32000, 4), **LITGPT, batch=8, lora_rank=32),
    "M145": row(llama(2048, 16, 32, 8192, 128256, 8, parameters=1_235_814_400), **LITGPT, batch=1, lora_rank=32),
    "M147": row(llama(3072, 28, 24, 8192, 128256, 8, head_dim=128, parameters=3_212_749_824), **LITGPT, batch=1,
                lora_rank=32),
    "M150": row(LLAMA2_7B, **LITGPT, batch=2, lora_rank=32),
    "M151": row(llama(4096, 32, 32, 14336, 128256, 8), **LITGPT, batch=1, lora_rank=32),
}


def is_held_out(name):
    return int(name[1:]) % 3 == 0


def configuration(settings, folder):
    settings = dict(settings)
    if settings.get("logits_dtype") == "MODEL":  # this loss computes in the type of the logits
        settings["logits_dtype"] = settings["dtype"]
    if isinstance(settings.get("model"), dict):
        (folder / "model.json").write_text(json.dumps(settings["model"]))
        settings["model"] = "model.json"
    return settings


def budget(highwater, settings, unknown):
    """Expected bytes, or None and the message. Keys that an older program does not know are left out."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        settings = {k: v for k, v in configuration(settings, folder).items() if k not in unknown}
        (folder / "run.json").write_text(json.dumps(settings))
        command = [highwater, "budget", "--json", "--quiet", "--config", str(folder / "run.json")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None, done.stderr.strip()
        return json.loads(done.stdout), ""


def printed(errors, title):
    ordered = sorted(abs(error) for error in errors)
    if not ordered:
        return
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    ninetieth = ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
    print(f"{title}: {len(ordered)} rows, median {median:.1%}, 90th percentile {ninetieth:.1%}, worst {ordered[-1]:.1%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--highwater", default="highwater")
    parser.add_argument("--part", choices=("design", "held-out", "all"), default="all")
    parser.add_argument("--unknown", default="", help="keys that this program does not know, comma-separated")
    options = parser.parse_args()
    with open(options.table, newline="", encoding="utf-8") as file:
        measured = {line["id"]: line for line in csv.DictReader(file, delimiter="\t")}
    errors = {False: [], True: []}
    for name, settings in ROWS.items():
        held_out = is_held_out(name)
        if name not in measured or options.part == ("design" if held_out else "held-out"):
            continue
        line = measured[name]
        truth = float(line["measured_peak"]) * UNITS[line["unit"]]
        answer, trouble = budget(options.highwater, settings, options.unknown.split(","))
        if answer is None:
            print(f"{name}  refused: {trouble}", file=sys.stderr)
            continue
        error = answer["expected_bytes"] / truth - 1
        errors[held_out].append(error)
        inside = "in range" if answer["low_bytes"] <= truth <= answer["high_bytes"] else "outside"
        gib = f"{answer['expected_bytes'] / 2**30:7.2f} of {truth / 2**30:7.2f} GiB"
        print(f"{name}  {error:+7.1%}  {inside:8}  {gib}"
              f"  {line['model'][:28]:28} b{settings.get('batch')} {line['quantity'][:30]}"
              f"{'  (held out)' if held_out else ''}")
    printed(errors[False], "designed on")
    printed(errors[True], "held out")
    printed(errors[False] + errors[True], "all")


if __name__ == "__main__":
    main()
