#!/usr/bin/env python3
"""Merges 100, 1,000 and 10,000 varied summaries of one recording, and checks that what was planted is named.

    tests/bench/ranks/run.py HIGHWATER VARY_RANKS RECORDING|BASE.hws [--ranks 100 1000 10000] [--folder FOLDER]

Prints a table: files, bytes, seconds, seconds of processors (on a busy machine fewer than twice the others), files a
second, largest resident memory. Exit code 1: something is not named, or 10,000 files take 40 s or 1 GiB.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def measured(command):
    """Exit code, output, seconds, seconds of processors, and the largest resident memory of one program."""
    with tempfile.TemporaryFile() as out:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def check(planted, answer):
    """What of the planted differences the answer does not name."""
    ranks = {row["rank"]: row for row in answer["ranks"]}
    kinds = {}
    for trouble in answer["troubles"]:
        kinds.setdefault(trouble["kind"], set()).add(trouble["rank"])
    stages = {leak["stage"]: leak for leak in answer["leaks"]}
    setting = [s for s in answer["settings"] if s["name"] == "planted_setting"]
    leaking = stages.get(planted["leaking_stage"])
    said = {
        "outlier": ranks[planted["outlier"]]["outlier"]
        and sum(row["outlier"] for row in ranks.values()) == 1,
        "leaking stage": leaking is not None and len(stages) == 1 and len(leaking["leaking"]) == leaking["ranks"],
        "first to fail": answer["out_of_memory"][0]["rank"] == planted["first_failing"]
        and {row["rank"] for row in answer["out_of_memory"]} == set(planted["failing"]),
        "setting": len(setting) == 1 and setting[0]["values"][-1]["examples"] == [planted["other_setting"]],
        "damaged": kinds.get("damaged") == set(planted["damaged"]),
        "duplicate": kinds.get("duplicate") == {planted["duplicate"]},
        "foreign": kinds.get("foreign") == {planted["foreign"]},
        "missing": answer["missing"] == [planted["missing"]],
    }
    return [name for name, good in said.items() if not good]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("highwater")
    parser.add_argument("vary")
    parser.add_argument("recording")
    parser.add_argument("--ranks", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--folder", help="where the files go; kept (default: a temporary one)")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="highwater-ranks-")
    os.makedirs(folder, exist_ok=True)
    failed = False
    try:
        base = options.recording
        if not base.endswith(".hws"):
            base = os.path.join(folder, "base.hws")
            subprocess.run([options.highwater, "summarize", options.recording, "-o", base, "--force"], check=True)
        print(f"{'files':>7} {'MB':>8} {'KB each':>8} {'seconds':>8} {'CPU s':>8} {'files/s':>8} {'RSS MiB':>8}  not named")
        for count in options.ranks:
            place = os.path.join(folder, str(count))
            if not os.path.exists(os.path.join(place, ".planted.json")):
                subprocess.run([options.vary, base, place, str(count)], check=True)
            with open(os.path.join(place, ".planted.json"), encoding="utf-8") as file:
                planted = json.load(file)
            sizes = [entry.stat().st_size for entry in os.scandir(place) if entry.name.endswith(".hws")]
            _, out, seconds, busy, memory = measured([options.highwater, "ranks", place, "--json", "--quiet"])
            missing = check(planted, json.loads(out))
            failed = failed or bool(missing) or (count >= 10000 and (seconds >= 40 or memory >= 1 << 30))
            print(f"{len(sizes):7} {sum(sizes) / 1e6:8.1f} {sum(sizes) / len(sizes) / 1e3:8.1f} {seconds:8.2f} {busy:8.2f} "
                  f"{len(sizes) / seconds:8.0f} {memory / (1 << 20):8.1f}  {', '.join(missing) or 'nothing'}",
                  flush=True)
    finally:
        if not options.folder:
            shutil.rmtree(folder)
    sys.exit(failed)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
