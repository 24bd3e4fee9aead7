#!/usr/bin/env python3
"""Judges what Highwater says of recordings by the labels beside them (`highwater rehearse --labels`; what is in them:
resources/rehearse/highwater_labels.py). At Highwater's peak: bytes of each block by label and by category; number and
ends of the steps; phase of the peak. One row for each device of each recording, failures last; "elsewhere" is the worst
of the other moments, told but no failure.

usage: judge_labels.py [--highwater BIN] [--sites] FOLDER_OR_RECORDING...
Reads NAME.pickle.zst (or .pickle) with NAME.labels.json.zst (or .json). Exit code 1: a row fails.
"""
import argparse
import collections
import csv
import io
import json
import os
import subprocess
import sys

GROUPS = ("parameter", "gradient", "optimizer_state", "rest")
SHORT = {"parameter": "par", "gradient": "grad", "optimizer_state": "opt", "rest": "rest"}
MAX_DIFFERENCE, MAX_UNKNOWN, MAX_WRONG = 1.0, 2.0, 1.0  # per cent of the peak
MOMENTS = 40
SAME_PHASE = {"evaluation": ("evaluation", "scoring", "generation"), "between": ("", "unknown", "data", "optimizer", "backward"),
              "setup": ("", "unknown", "data")}


def group_of(category):
    if category == "before_recording":
        return "unknown"
    return category if category in GROUPS or category == "unknown" else "rest"


def load_json(path):
    if path.endswith(".zst"):
        return json.loads(subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Recording:
    """One device of one recording: its blocks, joined to the labels by address and number of allocation."""

    def __init__(self, highwater, path, device, document):
        self._ask = lambda *arguments: subprocess.run([highwater, *arguments, "--device", str(device), "--quiet", path],
                                                      check=True, stdout=subprocess.PIPE, text=True).stdout
        self.device, self.document = device, document
        self.peaks = json.loads(self._ask("peaks", "--json", "--group", "category"))
        rows = list(csv.DictReader(io.StringIO(self._ask("export", "--what", "allocations", "-o", "-"))))
        for row in rows:
            row["alloc_event"] = int(row["alloc_event"] or -1)
        self.older = [row for row in rows if row["alloc_event"] < 0]
        self.traced = sorted((row for row in rows if row["alloc_event"] >= 0), key=lambda row: row["alloc_event"])
        self.last = document["allocations"].get(str(device), 0)
        self.first = self.last - len(self.traced)
        self.warnings = []
        self._join()

    def at(self, counts):
        return counts.get(str(self.device), 0)

    def _join(self):
        at_address = collections.defaultdict(list)
        for row in self.older:
            row["n"] = self.first
            at_address[int(row["address"], 16)].append(row)
        for n, row in enumerate(self.traced, self.first + 1):
            row["n"] = n
            at_address[int(row["address"], 16)].append(row)
        lost = 0
        for entry in self.document["labels"]:
            if entry["device"] != self.device:
                continue
            rows = [row for row in at_address[entry["address"]] if row["n"] <= max(entry["allocations"], self.first)]
            if rows and entry["bytes"] <= int(rows[-1]["block_bytes"] or rows[-1]["requested_bytes"]):
                rows[-1]["label"] = entry["label"]
            elif entry["allocations"] > self.first:
                lost += 1
        if lost:
            self.warnings.append(f"{lost} labels without a block")

    def live_at(self, event):
        return [row for row in self.older + self.traced if row["alloc_event"] <= event
                and (row["free_event"] == "" or int(row["free_event"]) > event)]

    def count_at(self, event):
        return self.first + sum(row["alloc_event"] <= event for row in self.traced)

    def phase_at(self, count):
        for phase in self.document["phases"]:
            if self.at(phase["begin"]) < count <= self.at(phase["end"]):
                return phase["phase"]
        return "between"

    def true_steps(self):
        return [step for step in self.document["steps"] if step.get("complete", True)
                and self.first <= self.next_work(self.at(step["begin"])) and self.at(step["end"]) <= self.last]

    def next_work(self, count):
        """Allocations up to the next forward: a step may end anywhere before it."""
        begins = [self.at(phase["begin"]) for phase in self.document["phases"]
                  if phase["phase"] in ("forward", "evaluation", "backward") and self.at(phase["begin"]) >= count]
        return min(begins, default=self.last)


def compare(rows, peak):
    """Of blocks that live at a time, in per cent of the peak: (true, difference) of each group, unknown, wrong; call sites."""
    matrix, sites = collections.Counter(), collections.Counter()
    for row in rows:
        size = int(row["requested_bytes"])
        label, category = group_of(row.get("label", "other")), group_of(row["category"])
        matrix[label, category] += size
        if label != category:
            sites[row["site"] or "no stack", label, row["category"], row["reason"]] += size
    percent = 100 / max(peak, 1)
    found = {"total": sum(matrix.values()), "sites": sites,
             "unknown": percent * sum(matrix[group, "unknown"] for group in GROUPS),
             "wrong": percent * sum(size for (label, category), size in matrix.items()
                                    if label != category and category != "unknown")}
    for group in GROUPS:
        true = sum(size for (label, _), size in matrix.items() if label == group)
        # What is called unknown is right nowhere and wrong nowhere.
        difference = sum(matrix[label, group] for label in GROUPS) - true + matrix[group, "unknown"]
        found[group] = true * percent, difference * percent
    return found


def judge_bytes(recording):
    live = recording.peaks["live"]
    found = compare(recording.live_at(live["event"]), live["bytes"])
    if found["total"] != live["bytes"]:
        recording.warnings.append(f"blocks {found['total']} B, peak {live['bytes']} B")
    return found


def worst_elsewhere(recording):
    """Peaks of steps and moments evenly spread: the one with most wrong bytes."""
    live = recording.peaks["live"]
    spread = recording.traced[:: max(1, len(recording.traced) // MOMENTS)]
    events = {step["peak_event"] for step in recording.peaks["steps"]} | {row["alloc_event"] for row in spread}
    return max(((compare(recording.live_at(event), live["bytes"]), event) for event in sorted(events - {live["event"]})),
               key=lambda pair: pair[0]["wrong"], default=(compare([], 1), -1))


def judge_steps(recording):
    true = recording.true_steps()
    said = [step for step in recording.peaks["steps"] if step["complete"] and step["source"] != "whole"
            and step["name"] not in ("warm-up", "remainder")]
    ends = [recording.count_at(step["end_event"] - 1) for step in said]
    off = [index for index, (step, end) in enumerate(zip(true, ends))
           if not recording.at(step["end"]) <= end <= recording.next_work(recording.at(step["end"]))]
    return len(true), len(said), off


def judge_phase(recording):
    event = recording.peaks["live"]["event"]
    true = recording.phase_at(recording.count_at(event))
    said = next((step["phase"] for step in recording.peaks["steps"] if step["begin_event"] <= event < step["end_event"]), "")
    alike = SAME_PHASE.get(true, ())
    if all(phase["phase"] != "backward" for phase in recording.document["phases"]):
        alike += ("forward",)  # inference alone
    return true, said or "", (said or "") in alike or said == true


def judge(highwater, name, path, labels_path):
    document = load_json(labels_path)
    info = json.loads(subprocess.run([highwater, "info", "--json", "--quiet", path], check=True, stdout=subprocess.PIPE).stdout)
    for device in info["files"][0]["devices"]:
        if device["kind"] != "cuda" or not (device.get("peak_bytes") or 0):
            continue
        recording = Recording(highwater, path, device["device"], document)
        found = judge_bytes(recording)
        true_steps, said_steps, off = judge_steps(recording)
        true_phase, said_phase, phase_right = judge_phase(recording)
        faults = [f"{SHORT[group]} {found[group][1]:+.1f} %" for group in GROUPS if abs(found[group][1]) > MAX_DIFFERENCE]
        if not faults and found["wrong"] > MAX_WRONG:
            faults.append(f"blocks wrong {found['wrong']:.1f} %")
        stacks = any(row["stack"] for row in recording.traced)
        if found["unknown"] > MAX_UNKNOWN and stacks:
            faults.append(f"unknown {found['unknown']:.1f} %")
        if true_steps != said_steps:
            faults.append(f"steps {said_steps}, true {true_steps}")
        elif off:
            faults.append(f"ends of steps {off}")
        if not phase_right and (stacks or said_phase):
            faults.append(f"phase {said_phase or 'none'}, true {true_phase}")
        row = f"{found['total'] / 2**20:9.1f}"
        for group in GROUPS:
            row += f" {found[group][0]:6.1f}{found[group][1]:+7.1f}"
        row += f" {found['unknown']:6.1f} {said_steps:4}/{true_steps:<4} {said_phase or 'none':>10}/{true_phase:<10}"
        elsewhere, event = worst_elsewhere(recording)
        if elsewhere["wrong"] > MAX_WRONG:
            recording.warnings.append(f"elsewhere wrong {elsewhere['wrong']:.1f} %, at event {event}")
            if not faults:
                found["sites"] = elsewhere["sites"]
        yield {"name": f"{name}:{device['device']}" if len(info["files"][0]["devices"]) > 1 else name, "row": row,
               "faults": faults, "warnings": recording.warnings, "sites": found["sites"], "total": found["total"]}


def recordings(places):
    for place in places:
        files = [os.path.join(place, file) for file in sorted(os.listdir(place))] if os.path.isdir(place) else [place]
        for path in files:
            for ending in (".pickle.zst", ".pickle"):
                stem = path[: -len(ending)]
                labels = next((stem + end for end in (".labels.json.zst", ".labels.json")
                               if path.endswith(ending) and os.path.exists(stem + end)), None)
                if labels:
                    yield os.path.basename(stem), path, labels
                    break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", metavar="FOLDER_OR_RECORDING")
    parser.add_argument("--highwater", default="highwater")
    parser.add_argument("--sites", action="store_true", help="also the five call sites with most wrong bytes")
    options = parser.parse_args()
    rows = []
    for name, path, labels in recordings(options.places):
        try:
            rows += judge(options.highwater, name, path, labels)
        except (subprocess.CalledProcessError, KeyError, ValueError) as error:
            rows.append({"name": name, "row": "", "faults": [f"not judged: {error!r}"], "warnings": [], "sites": {}, "total": 1})
    width = max((len(row["name"]) for row in rows), default=4)
    print(f"{'recording':{width}}  peak MiB  parameters     gradients      optimizer      rest           unknown said/true"
          "   phase said/true   (per cent of the peak: true, difference)")
    for row in sorted(rows, key=lambda row: bool(row["faults"])):
        print(f"{row['name']:{width}} {row['row']} {'FAILS: ' + '; '.join(row['faults']) if row['faults'] else 'right'}"
              + "".join(f" ({warning})" for warning in row["warnings"]))
        if options.sites:
            for (site, label, category, reason), size in sorted(row["sites"].items(), key=lambda item: -item[1])[:5]:
                if 200 * size > row["total"]:
                    print(f"    {100 * size / row['total']:5.1f} % is {label}, called {category} ({reason}): {site}")
    failed = sum(bool(row["faults"]) for row in rows)
    print(f"{len(rows) - failed} right, {failed} fail")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
