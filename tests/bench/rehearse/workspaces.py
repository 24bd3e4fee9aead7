#!/usr/bin/env python3
"""How far the workspaces of cuDNN's convolutions, which no rehearsal knows, raise what PyTorch reserves.

    workspaces.py --highwater highwater --python PYTHON [--python PYTHON …] [--out workspaces.tsv]

Rehearses every run with convolutions that somebody measured, ours (samples/record/measured) and those of rows.tsv, and
judges the range of the verdict: from what is in use to what is reserved, plus a share of the tensors of the largest
convolution, which 95% of the runs stay below, but no more than the largest share of what is reserved. A convolution
that makes up most of a run has its own workspace all the same: a third share, which 90% of the convolutions stay below
that were measured alone. So does `mostWorkspaceBytes`. Each run is judged by the shares that the other models give.
Results are kept.
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
IMAGES = ("convnext", "efficientnet", "inception", "mnasnet", "mobilenet", "regnet", "resnet", "vgg", "xception")


def our_runs():
    measured = {row["case"]: row for row in run.kept(OURS / "measured.tsv") if row["gpu"] == "H200"}
    for case in json.loads((OURS / "cases.json").read_text(encoding="utf-8")):
        if case["script"].removesuffix(".py") in SCRIPTS:
            words = [str(OURS / "scripts" / case["script"]), *case.get("arguments", [])]
            model = "resnet18" if "resnet" in case["name"] else case["name"].removeprefix("zoo_")
            yield {"run": case["name"], "model": model, "gpu": "H200",
                   "benchmark": int("benchmark" in words), "torch": "2.11", "words": words,
                   "measured": measured[case["name"]]["real_reserved_bytes"]}


def published_runs():
    for row in run.kept(HERE / "rows.tsv"):
        alone = row["loop"] == "convolution.py"
        named = row["loop"] in ("gpumemnet.py", "xmem.py")
        model = "" if alone else row["arguments"].split(" ")[0] if named else row["label"].split("-")[0]
        if alone or row["quantity"] == "reserved" and model.startswith(IMAGES):
            words = [str(HERE / "loops" / row["loop"]), *row["arguments"].split()]
            yield {"run": row["row"], "model": model, "gpu": row["gpu"], "benchmark": 0, "torch": row["torch"],
                   "words": words, "label": row["label"],
                   "measured": round(float(row["measured"]) * run.UNITS[row["unit"]])}


def rehearsed(options, python, wanted):
    """What was in use and reserved at most, and the bytes of the largest convolution's tensors."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(pathlib.Path(folder) / "run.pickle")
        command = [options.highwater, "rehearse", "--gpu", wanted["gpu"], "--out", out, "--json", "--quiet",
                   "--once", "--try", "none", "--", python, *wanted["words"]]
        ended = subprocess.run(command, cwd=folder, env=run.environment_of(folder), capture_output=True, text=True,
                               check=False)
    answer = json.loads(ended.stdout)
    figures = {label: (int(a), int(r)) for label, a, r in run.MEASURED.findall(ended.stdout + "\n" + ended.stderr)}
    device = answer["processes"][0]["devices"][0]
    in_use, reserved = figures.get(wanted.get("label"), (device["peak_bytes"], device["reserved_peak_bytes"]))
    return {"in_use": in_use, "reserved": reserved, "convolution": answer["convolution_bytes"]}


def shares(rows):
    """The surplus in tensors of the convolution, which 95% of the runs stay below, and the most in what is reserved."""
    surplus = [(int(row["measured"]) - int(row["reserved"]), row) for row in rows if row["model"]]
    below = [sorted(bytes_ / int(row[key]) for bytes_, row in surplus) for key in ("convolution", "reserved")]
    return table.quantile(below[0], 0.95), below[1][-1]


def share_alone():
    """What 90% of the convolutions stay below that were measured alone, in their tensors."""
    largest = []
    for row in run.kept(OURS / "cudnn-workspaces.tsv"):
        cells = [row[f"{part}/(x+y+w)"] for part in ("forward", "dgrad", "wgrad")]
        largest.append(max(float(cell) for cell in cells if cell not in ("", "None")))
    return table.quantile(sorted(largest), 0.9)


def most(row, of_convolution, of_reserved):
    reserved, convolution = int(row["reserved"]), int(row["convolution"])
    return reserved + min(of_convolution * convolution, max(of_reserved * reserved, share_alone() * convolution))


def shown(row, *cells):
    figures = (f"{int(row[key]) / 2**20:,.0f}" for key in ("convolution", "in_use", "reserved"))
    print(f"| {row['run']} | {row['gpu']} | {' | '.join(figures)} | {' | '.join(cells)} |")


def report(rows):
    """The table of the manual: each run with the range that the other models give."""
    print("| Run | GPU | Largest convolution, MiB | In use | Reserved | At most, by the others | Measured | In it |")
    print("|---|---|---:|---:|---:|---:|---:|---|")
    rows = [row for row in rows if int(row["convolution"]) > 2**20]  # bf16 on a T4 runs on kernels of PyTorch itself
    judged, held, widths = [row for row in rows if row["benchmark"] == "0"], 0, []
    for row in judged:
        top = most(row, *shares([other for other in judged if other["model"] != row["model"]]))
        is_held = int(row["in_use"]) <= int(row["measured"]) <= top
        held += is_held
        widths.append((top - int(row["in_use"])) / int(row["measured"]))
        shown(row, f"{top / 2**20:,.0f}", f"{int(row['measured']) / 2**20:,.0f}", "yes" if is_held else "no")
    for row in rows:
        if row["benchmark"] == "1":
            shown(row, "what is free", f"{int(row['measured']) / 2**20:,.0f}", "while it searches")
    of_convolution, of_reserved = shares(judged)
    print(f"\n{held} of {len(judged)} are in it ({held / len(judged):.0%}). Width of the range against the measured "
          f"figure: median {table.quantile(sorted(widths), 0.5):.0%}, widest {max(widths):.0%}. All runs together give "
          f"{of_convolution:.2f} of the convolution and {of_reserved:.0%} of what is reserved, convolutions alone "
          f"{share_alone():.2f}.")


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
