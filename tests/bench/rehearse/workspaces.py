#!/usr/bin/env python3
"""How far the workspaces of cuDNN's convolutions, which no rehearsal knows, raise what PyTorch reserves.

    workspaces.py --highwater highwater --python PYTHON [--python PYTHON …] [--out workspaces.tsv]

Rehearses every run with convolutions that somebody measured, ours (samples/record/measured) and those of rows.tsv, and
judges the range that the verdict uses: from what is in use to what is reserved plus a multiple of the tensors of the
largest convolution. The multiple is the one that `mostWorkspaceBytes` has; leaving one model out at a time shows which
one the other models would have given, and if the range then holds the measured figure. Results are kept.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import run
import table

HERE = pathlib.Path(__file__).parent
OURS = HERE.parents[2] / "samples" / "record" / "measured"
COLUMNS = ("run", "model", "gpu", "benchmark", "measured", "in_use", "reserved", "convolution")
# Sizes of the detector follow from values; its figures say nothing about workspaces.
SCRIPTS = ("resnet_amp", "resnet_fp32", "zoo", "unet_amp", "conv3d_video", "conv1d_audio", "dcgan", "vit_validate")
IMAGES = ("convnext", "mnasnet", "mobilenet", "regnet", "resnet", "vgg", "vit")


def our_runs():
    measured = {row["case"]: row for row in run.kept(OURS / "measured.tsv") if row["gpu"] == "H200"}
    for case in json.loads((OURS / "cases.json").read_text(encoding="utf-8")):
        if case["script"].removesuffix(".py") in SCRIPTS:
            words = [str(OURS / "scripts" / case["script"]), *case.get("arguments", [])]
            yield {"run": case["name"], "model": case["name"].split("_benchmark")[0].split("_last")[0], "gpu": "H200",
                   "benchmark": int("benchmark" in words), "torch": "2.11", "words": words,
                   "measured": measured[case["name"]]["real_reserved_bytes"]}


def published_runs():
    for row in run.kept(HERE / "rows.tsv"):
        model = row["arguments"].split(" ")[0] if row["loop"] == "xmem.py" else row["label"].split("-")[0]
        model = "vit_l_16" if row["loop"] == "vit.py" and row["arguments"].count(" ") else model
        if row["quantity"] == "reserved" and model.startswith(IMAGES):
            words = [str(HERE / "loops" / row["loop"]), *row["arguments"].split()]
            yield {"run": row["row"], "model": model, "gpu": row["gpu"], "benchmark": 0, "torch": row["torch"],
                   "words": words, "label": row["label"],
                   "measured": round(float(row["measured"]) * run.UNITS[row["unit"]])}


def rehearsed(options, python, wanted):
    """What was in use and reserved at most, and the bytes of the largest convolution's tensors."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.highwater, "rehearse", "--gpu", wanted["gpu"], "--out", str(pathlib.Path(folder) / "run.pickle"),
                   "--json", "--quiet", "--once", "--try", "none", "--", python, *wanted["words"]]
        ended = subprocess.run(command, cwd=folder, env=run.environment_of(folder), capture_output=True, text=True,
                               check=False)
    answer = json.loads(ended.stdout)
    figures = {label: (int(a), int(r)) for label, a, r in run.MEASURED.findall(ended.stdout + "\n" + ended.stderr)}
    device = answer["processes"][0]["devices"][0]
    in_use, reserved = figures.get(wanted.get("label"), (device["peak_bytes"], device["reserved_peak_bytes"]))
    return {"in_use": in_use, "reserved": reserved, "convolution": answer["convolution_bytes"]}


def multiple(row):
    """The part of the convolution's tensors that the measured figure lies above the rehearsed one."""
    return (int(row["measured"]) - int(row["reserved"])) / max(1, int(row["convolution"]))


def holds(row, share):
    most = int(row["reserved"]) + share * int(row["convolution"])
    return int(row["in_use"]) <= int(row["measured"]) <= most


def report(rows):
    """The table of the manual: each row with its range, and what the other models would have said of it."""
    print("| Run | GPU | Measured | In use | Reserved | Largest convolution | Above, in convolutions | Others say | Held |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---|")
    searching, others_held, widths = [r for r in rows if r["benchmark"] == "1"], 0, []
    rows = [row for row in rows if row["benchmark"] == "0"]
    for row in rows:
        others = sorted(multiple(other) for other in rows if other["model"] != row["model"])
        share = max(0, table.quantile(others, 0.95))
        others_held += holds(row, share)
        widths.append((int(row["reserved"]) + share * int(row["convolution"]) - int(row["in_use"])) / int(row["measured"]))
        cells = [f"{int(row[key]) / 2**20:,.0f} MiB" for key in ("measured", "in_use", "reserved", "convolution")]
        print(f"| {row['run']} | {row['gpu']} | {' | '.join(cells)} | {multiple(row):.2f} | {share:.2f} | "
              f"{'yes' if holds(row, share) else 'no'} |")
    for row in searching:
        cells = [f"{int(row[key]) / 2**20:,.0f} MiB" for key in ("measured", "in_use", "reserved", "convolution")]
        print(f"| {row['run']} | {row['gpu']} | {' | '.join(cells)} | {multiple(row):.2f} | | while it searches |")
    every = max(0, table.quantile(sorted(map(multiple, rows)), 0.95))
    print(f"\n{others_held} of {len(rows)} held ({others_held / len(rows):.0%}); width of the range, of the measured: median "
          f"{table.quantile(sorted(widths), 0.5):.0%}, widest {max(widths):.0%}. All models together say {every:.2f}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--highwater", default="highwater", type=os.path.abspath)
    parser.add_argument("--python", action="append", required=True, help="Python with torch; may be repeated")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("workspaces.tsv"))
    options = parser.parse_args()
    pythons = {python: run.torch_of(python) for python in options.python}
    results = run.kept(options.out)
    done = {row["run"] for row in results}
    for wanted in (*our_runs(), *published_runs()):
        if wanted["run"] not in done:
            results.append({**wanted, **rehearsed(options, run.nearest(pythons, wanted["torch"]), wanted)})
            run.written(options.out, results, COLUMNS)
    report(run.kept(options.out))


if __name__ == "__main__":
    main()
