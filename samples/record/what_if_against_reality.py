#!/usr/bin/env python3
"""Holds `highwater what-if` against the real allocator: rehearses scripts of rehearsed/scenarios with the allocator's
defaults, lets what-if predict the reserved peak under other settings, and rehearses each script again under those.

usage: what_if_against_reality.py --highwater BIN --python 2.6=PATH --python 2.11=PATH --python 2.15=PATH [NAME...]
Prints a table in Markdown. Exit code 1 where a prediction is neither exact nor refused.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "rehearsed")
SCRIPTS = ["small-gpt", "gpt-autocast", "grpo-hand", "dcgan", "vit-math", "vae", "lstm-manual", "graph-network",
           "kv-generate", "resnet-momentum", "eval-with-gradients", "prefetch", "fragments", "copies"]
SETTINGS = ["expandable_segments:True", "max_split_size_mb:32", "roundup_power2_divisions:4",
            "max_split_size_mb:64,garbage_collection_threshold:0.6"]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def rehearse(options, scenario, configuration, snapshot):
    script, *arguments = scenario["script"].split()
    environment = dict(os.environ, PYTHONHASHSEED="0", HF_HUB_OFFLINE="1", **scenario.get("environment", {}))
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
    if configuration:
        environment["PYTORCH_CUDA_ALLOC_CONF"] = configuration
    result = run([options.highwater, "rehearse", "--quiet", "--force", "--gpu", scenario.get("gpu", "L4"), "-o", snapshot,
                  *scenario.get("options", "").split(), "--", options.python[scenario["torch"]],
                  os.path.join(FOLDER, "scenarios", script), *arguments],
                 cwd=os.path.dirname(snapshot), env=environment, timeout=options.timeout)
    return os.path.exists(snapshot), (result.stderr + result.stdout).strip().split("\n")[-1]


def reserved_peak(options, snapshot):
    result = run([options.highwater, "info", "--json", snapshot])
    devices = json.loads(result.stdout)["files"][0]["devices"]
    return max(device["reserved_peak_bytes"] for device in devices)


def predicted_peak(options, snapshot, configuration):
    changes = [word for option in configuration.split(",") for word in ("--set", option.replace(":", "=", 1))]
    result = run([options.highwater, "what-if", "--json", snapshot, *changes])
    if not result.stdout.strip():
        return None, result.stderr.strip().split("\n")[-1]
    return json.loads(result.stdout), ""


def mib(number):
    return f"{number / 2**20:,.0f}"


def compare(options, name, scenario, work):
    base = os.path.join(work, "base.pickle")
    recorded, why = rehearse(options, scenario, "", base)
    if not recorded:
        return [(name, "", why, "", "", "not recorded")]
    rows = []
    for index, configuration in enumerate(options.settings):
        again = os.path.join(work, f"again-{index}.pickle")
        recorded, why = rehearse(options, scenario, configuration, again)
        really = reserved_peak(options, again) if recorded else None
        answer, refusal = predicted_peak(options, base, configuration)
        said = answer and answer["what_if"]["reserved_peak_bytes"]
        if said is None:
            verdict = "refused: " + refusal.rsplit(": ", 1)[-1]
        elif really is None:
            verdict = "no re-run: " + why
        else:
            verdict = "exact" if said == really else f"{(said - really) / 2**20:+,.1f} MiB"
        rows.append((name, scenario["torch"], configuration, mib(said) if said else "", mib(really) if really else "", verdict))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--highwater", default="highwater")
    parser.add_argument("--python", action="append", default=[], metavar="VERSION=PATH")
    parser.add_argument("--set", action="append", dest="settings", metavar="TEXT", help="as in PYTORCH_CUDA_ALLOC_CONF")
    parser.add_argument("--keep", help="folder for the recordings (default: thrown away)")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one run")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.python = dict(word.split("=", 1) for word in options.python)
    options.highwater = os.path.abspath(options.highwater)
    options.settings = options.settings or SETTINGS
    with open(os.path.join(FOLDER, "scenarios.json"), encoding="utf-8") as file:
        scenarios = json.load(file)
    print("| Script | PyTorch | Setting | Predicted, MiB | Really, MiB | |\n|---|---|---|---:|---:|---|")
    wrong = 0
    with tempfile.TemporaryDirectory() as thrown_away:
        for name in options.names or SCRIPTS:
            work = os.path.join(options.keep or thrown_away, name)
            os.makedirs(work, exist_ok=True)
            for row in compare(options, name, scenarios[name], work):
                wrong += row[-1] != "exact" and not row[-1].startswith("refused")
                print("| " + " | ".join(row) + " |", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
