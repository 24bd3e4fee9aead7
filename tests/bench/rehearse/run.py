#!/usr/bin/env python3
"""Rehearses published measurements of real GPUs and writes how far off each is.

    run.py --highwater highwater --python PYTHON [--python PYTHON …] [--minutes 25] [--only TEXT] [--out results.tsv]

rows.tsv holds the measurements: who published each, on which GPU and PyTorch, what was counted, and the loop below
loops/ that does the same steps with random weights. PYTHON has torch, torchvision, transformers and timm; with several,
each row takes the one whose PyTorch is nearest to that of the measurement. Rows of one command are one rehearsal.
Results are kept: the next call continues, and runs nothing twice. table.py makes the tables of the manual.

The figures are those that the script reads from PyTorch itself; rows of the quantity "verdict" compare the answer.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent
DECIDED = ("fits", "does not fit", "too close")
UNITS = {"B": 1, "MiB": 1 << 20, "GiB": 1 << 30, "GB": 10**9}
COLUMNS = ("row", "source", "what", "gpu", "torch", "quantity", "measured", "unit", "torch_used", "rehearsed", "error",
           "seconds", "remark")
MEASURED = re.compile(r"^MEASURED (\S+) (\d+) (\d+)$", re.MULTILINE)


def series(version):
    """2.11.0+cu130 as (2, 11)."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def torch_of(python):
    code = "import importlib.metadata as m; print(m.version('torch'))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def nearest(pythons, wanted):
    """The Python whose PyTorch is nearest to the one of the measurement; any, where that is not known."""
    if not series(wanted):
        return next(iter(pythons))
    major, minor = series(wanted)

    def distance(python):
        other_major, other_minor = series(pythons[python])
        return abs(100 * (other_major - major) + other_minor - minor)

    return min(pythons, key=distance)


def environment_of(folder):
    return {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "TIMM_FUSED_ATTN": "0",
            "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder)}


def rehearsed(options, python, gpu, loop, arguments):
    """What a rehearsal of the loop counted, by label; its verdict; and a word where it did not come to an end."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run.pickle"
        command = [options.highwater, "rehearse", "--gpu", gpu, "--out", str(out), "--json", "--quiet", "--once",
                   "--try", "none", "--", python, str(HERE / "loops" / loop), *arguments.split()]
        try:
            run = subprocess.run(command, cwd=folder, env=environment_of(folder), capture_output=True, text=True,
                                 timeout=options.seconds, check=False)
        except subprocess.TimeoutExpired:
            return {}, "", f"stopped after {options.seconds} s"
    figures = {label: (int(a), int(r)) for label, a, r in MEASURED.findall(run.stdout + "\n" + run.stderr)}
    try:
        verdict = json.loads(run.stdout)["verdict"].replace("-", " ")
    except (ValueError, KeyError):
        verdict = ""
    errors = re.findall(r"^[\w.]*(?:Error|Exception)\b.*$", run.stderr, re.MULTILINE)
    return figures, verdict, "" if figures or verdict in DECIDED else (errors or ["nothing was counted"])[-1]


def compared(row, figures, verdict, trouble):
    """Columns "rehearsed", "error" (of the rehearsed figure against the measured one, as a fraction) and "remark"."""
    if row["quantity"] == "verdict":
        if trouble or not verdict:
            return "", "", trouble or "no verdict"
        judged = "undecided" if verdict == "too close" else "right" if verdict == row["measured"] else "wrong"
        return verdict, judged, row["remark"]
    if row["label"] not in figures:
        return "", "", trouble or f"{row['label']} was not reached: {verdict}"
    figure = figures[row["label"]][0 if row["quantity"] == "allocated" else 1]
    measured = float(row["measured"]) * UNITS[row["unit"]]
    digits = len(row["measured"].partition(".")[2])
    same = row["unit"] != "B" and round(figure / UNITS[row["unit"]], digits) == round(float(row["measured"]), digits)
    return figure, 0 if same else round(figure / measured - 1, 6), row["remark"]


def kept(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def written(path, results, columns=COLUMNS):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(results)


def commands(rows, pythons):
    """Rows by the command that answers them; those without a loop are not run, and say why."""
    found = {}
    for row in rows:
        if row["loop"]:
            python = nearest(pythons, row["torch"])
            found.setdefault((python, row["gpu"], row["loop"], row["arguments"]), []).append(row)
    return found


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--highwater", default="highwater")
    parser.add_argument("--python", action="append", required=True, help="Python with torch; may be repeated")
    parser.add_argument("--rows", type=pathlib.Path, default=HERE / "rows.tsv")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results.tsv"))
    parser.add_argument("--only", default="", help="rows whose source or name contains this")
    parser.add_argument("--minutes", type=float, default=1e9, help="start no rehearsal after this time")
    parser.add_argument("--seconds", type=float, default=300, help="end a rehearsal after this time")
    return parser.parse_args()


def main():
    options = parsed()
    pythons = {python: torch_of(python) for python in options.python}
    results = kept(options.out)
    done = {result["row"] for result in results}
    rows = [row for row in kept(options.rows) if row["row"] not in done and options.only in row["source"] + row["row"]]
    results += [{**row, "seconds": 0} for row in rows if not row["loop"]]
    end = time.monotonic() + 60 * options.minutes
    for (python, gpu, loop, arguments), group in commands(rows, pythons).items():
        if time.monotonic() > end:
            break
        start = time.monotonic()
        figures, verdict, trouble = rehearsed(options, python, gpu, loop, arguments)
        seconds = round(time.monotonic() - start)
        for row in group:
            figure, error, remark = compared(row, figures, verdict, trouble)
            results.append({**row, "torch_used": pythons[python], "rehearsed": figure, "error": error,
                            "seconds": seconds, "remark": remark})
            shown = row["row"], row["what"], row["measured"], row["unit"], figure, error, f"{seconds} s"
            print(*shown, sep="\t", flush=True)
        written(options.out, results)
    written(options.out, results)


if __name__ == "__main__":
    main()
