#!/usr/bin/env python3
"""Rehearses the scripts whose memory was measured on a real GPU and prints both figures.

    rehearse_measured.py --highwater HIGHWATER --python PYTHON [--gpu H200] [CASE...]

cases.json says how each script was run, measured.tsv what a real GPU allocated and reserved at most. PYTHON has PyTorch
2.11 and what a script imports. One line a case: rehearsed and real bytes, their difference in per cent, and the outcome.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent


def rehearse(options, case, folder):
    """The verdict of one rehearsal, and the peaks that its snapshot has; None where there is no snapshot."""
    out = folder / (case["name"] + ".pickle")
    command = [options.python, *(["-m", *case["module"]] if "module" in case else []),
               str(HERE / "scripts" / case["script"]), *case.get("arguments", [])]
    environment = {**os.environ, **case.get("environment", {}), "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    run = subprocess.run([options.highwater, "rehearse", "--gpu", options.gpu, "--out", str(out), "--json", "--quiet", "--",
                          *command], cwd=folder, env=environment, capture_output=True, text=True)
    try:
        verdict = json.loads(run.stdout).get("verdict", "none")
    except ValueError:
        verdict = "none"
    if not out.exists():
        return verdict, None
    info = subprocess.run([options.highwater, "info", str(out), "--json"], capture_output=True, text=True)
    devices = json.loads(info.stdout)["files"][0].get("devices", [])
    return verdict, max(devices, key=lambda device: device.get("peak_bytes") or 0, default=None)


def difference(rehearsed, real):
    return f"{100 * (rehearsed - real) / real:+.2f} %" if real and rehearsed is not None else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--highwater", required=True, type=os.path.abspath)
    parser.add_argument("--python", required=True)
    parser.add_argument("--gpu", default="H200")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    with open(HERE / "measured.tsv", encoding="utf-8") as file:
        real = {row["case"]: row for row in csv.DictReader(file, delimiter="\t") if row["gpu"] == options.gpu}
    print("case\tallocated\treally\tdifference\treserved\treally\tdifference\tverdict\treally")
    with tempfile.TemporaryDirectory() as folder:
        for case in json.loads((HERE / "cases.json").read_text(encoding="utf-8")):
            row = real.get(case["name"])
            if row is None or (options.cases and case["name"] not in options.cases):
                continue
            verdict, device = rehearse(options, case, pathlib.Path(folder))
            columns = [case["name"]]
            for key, column in (("peak_bytes", "real_requested_bytes"), ("reserved_peak_bytes", "real_reserved_bytes")):
                rehearsed, measured = device and device.get(key), int(row[column] or 0)
                columns += [rehearsed, measured, difference(rehearsed, measured)]
            print(*columns, verdict, row["real_outcome"], sep="\t", flush=True)


if __name__ == "__main__":
    main()
