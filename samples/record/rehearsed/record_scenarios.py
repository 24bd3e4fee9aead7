#!/usr/bin/env python3
"""Records the scripts in scenarios/ with `highwater rehearse`, each twice: with labels and without. Events must be the same;
what is kept are the snapshot without (no frame of a hook is in its stacks) and the labels.

usage: record_scenarios.py --highwater BIN --python 2.6=PATH --python 2.11=PATH --python 2.15=PATH OUT_FOLDER [NAME...]
Writes OUT_FOLDER/NAME.pickle.zst and NAME.labels.json.zst; several ranks and several snapshots of one script have
their names behind: ddp-rank0, out-of-memory-observer. Names: those of scenarios.json (default: all). With --cases those of
cases.json, whose scripts are in cases/ (see record_cases.sh).

Keys of a scenario: script and its arguments, torch, gpu, options of `rehearse`, environment, codes (exit codes that are
right), keep {snapshot, as a pattern: ending of the name}, launch (arguments of Python before the script), recorder (true: the script
imports record_memory, which `highwater record --standalone` prints), labels (false: recorded once, without), prepare (a script
that is run before), files {what else is kept of the run without labels: name}.
"""
import argparse
import glob
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class PlainUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"a snapshot has no {module}.{name}")


def load_snapshot(path):
    with open(path, "rb") as file:
        return PlainUnpickler(file).load()


def rehearse(options, scenario, folder, labels):
    """Runs in a folder of its own: what the script writes by relative paths is found there."""
    os.makedirs(folder)
    script, *arguments = scenario["script"].split()
    if scenario.get("recorder"):
        text = subprocess.run([options.highwater, "record", "--standalone"], check=True, stdout=subprocess.PIPE).stdout
        with open(os.path.join(options.scripts, "record_memory.py"), "wb") as file:
            file.write(text)
    if "prepare" in scenario:
        subprocess.run([options.python[scenario["torch"]], os.path.join(options.scripts, scenario["prepare"])], cwd=folder, check=True)
    command = [options.highwater, "rehearse", "--quiet", "--once", "--force", "--gpu", scenario.get("gpu", "L4"), "-o", "run.pickle",
               *(["--labels", "run.pickle.labels.json"] if labels else []), *scenario.get("options", "").split(), "--",
               options.python[scenario["torch"]], *scenario.get("launch", "").split(), os.path.join(options.scripts, script), *arguments]
    # Addresses must be the same in both runs.
    environment = dict(os.environ, PYTHONHASHSEED="0", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", **scenario.get("environment", {}))
    with open(os.path.join(folder, "output.txt"), "wb") as output:
        code = subprocess.run(["setarch", "-R", *command], cwd=folder, env=environment, stdout=output,
                              stderr=subprocess.STDOUT, timeout=options.timeout).returncode
    if code not in scenario.get("codes", [0, 1, 4]):  # what --help of rehearse says: recorded to the end
        raise RuntimeError(f"exit code {code}")


def snapshots(folder):
    return sorted(os.path.relpath(os.path.join(root, file), folder) for root, _, files in os.walk(folder) for file in files
                  if file.endswith(".pickle"))


def in_order(trace):
    """Events without addresses. Frees count as a set: when Python clears cycles of garbage is up to it."""
    events = [(event["action"], event["size"]) for event in trace if event["action"] != "snapshot"]
    frees = [event for event in events if event[0].startswith("free_")]
    return [event for event in events if not event[0].startswith("free_")], sorted(frees)


def shift_between(plain, labelled):
    """How far addresses differ, the same for all; None: the runs differ."""
    shifts = set()
    for ours, theirs in zip(plain["device_traces"], labelled["device_traces"]):
        if in_order(ours) != in_order(theirs):
            return None
        taken = [[event["addr"] for event in trace if event["action"] == "alloc"] for trace in (ours, theirs)]
        shifts |= {a - b for a, b in zip(*taken)}
    return shifts.pop() if len(shifts) == 1 else None if shifts else 0


def the_one(folder, pattern):
    """The recorder's names have time and process in them."""
    found = glob.glob(pattern, root_dir=folder)
    if len(found) != 1:
        raise RuntimeError(f"{len(found)} files are {pattern}")
    return found[0]


def labels_path(folder, file):
    """Of run_rank0.pickle: run.pickle.labels_rank0.json."""
    if file.startswith("run"):
        return os.path.join(folder, f"run.pickle.labels{file[len('run'): -len('.pickle')]}.json")
    beside = os.path.join(folder, file + ".labels.json")
    return beside if os.path.exists(beside) else os.path.join(folder, file + ".part.labels.json")  # written, then renamed


def compress(source, target):
    subprocess.run(["zstd", "-17", "--long=27", "-q", "-f", source, "-o", target], check=True)


def keep_labels(file, ours, plain, labelled, stem):
    """With the addresses of the snapshot that is kept."""
    shift = shift_between(ours, load_snapshot(os.path.join(labelled, file)))
    if shift is None:
        raise RuntimeError(f"{file}: labels change the events")
    with open(labels_path(labelled, file), encoding="utf-8") as stream:
        document = json.load(stream)
    for entry in document["labels"]:
        entry["address"] += shift
    path = os.path.join(plain, "labels.json")
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(document, stream)
    compress(path, stem + ".labels.json.zst")
    return f"{len(document['labels'])} labels, {len(document['steps'])} steps"


def record(options, name, scenario, work):
    plain, labelled = os.path.join(work, "plain"), os.path.join(work, "labelled")
    with_labels = scenario.get("labels", True)
    if with_labels:
        rehearse(options, scenario, labelled, labels=True)
    rehearse(options, scenario, plain, labels=False)
    files = scenario.get("keep") or {file: file[len("run"): -len(".pickle")].replace("_", "-")
                                     for file in snapshots(plain) if file.startswith("run")}
    if not files:
        raise RuntimeError("nothing was recorded")
    for pattern, ending in files.items():
        file = the_one(plain, pattern)
        ours = load_snapshot(os.path.join(plain, file))
        stem = os.path.join(options.out, name + ending)
        compress(os.path.join(plain, file), stem + ".pickle.zst")
        said = keep_labels(the_one(labelled, pattern), ours, plain, labelled, stem) if with_labels else "no labels"
        events = max(len(trace) for trace in ours["device_traces"])
        print(f"{name + ending}: {events} events, {os.path.getsize(stem + '.pickle.zst') // 1024} kB, "
              f"{said}, torch {scenario['torch']}", flush=True)
    keep_files(options, scenario, plain)


def keep_files(options, scenario, folder):
    for file, name in scenario.get("files", {}).items():
        found = [path for path in sorted(glob.glob(os.path.join(folder, file), recursive=True))]
        if not found:
            raise RuntimeError(f"no {file}")
        if name.endswith(".zst"):
            compress(found[0], os.path.join(options.out, name))
        else:
            shutil.copyfile(found[0], os.path.join(options.out, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--highwater", default="highwater")
    parser.add_argument("--python", action="append", default=[], metavar="VERSION=PATH")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for one run")
    parser.add_argument("--cases", metavar="FOLDER", help="record cases.json, whose scripts lie in FOLDER, which is neutral")
    parser.add_argument("--missing", action="store_true", help="only what is not there yet")
    parser.add_argument("out")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.python = dict(word.split("=", 1) for word in options.python)
    with open(os.path.join(HERE, "cases.json" if options.cases else "scenarios.json"), encoding="utf-8") as file:
        scenarios = json.load(file)
    os.makedirs(options.out, exist_ok=True)
    # Stacks name the scripts' path: one that is the same everywhere.
    options.scripts = options.cases or shutil.copytree(os.path.join(HERE, "scenarios"), os.path.join(tempfile.gettempdir(), "scenarios"), dirs_exist_ok=True)
    failed = []
    for name in options.names or scenarios:
        stems = [name + ending for ending in scenarios[name].get("keep", {}).values()] or [name, name + "-rank0"]
        if options.missing and any(os.path.exists(os.path.join(options.out, stem + ".pickle.zst")) for stem in stems):
            continue
        work = tempfile.mkdtemp(prefix="work-", dir=options.cases)
        try:
            record(options, name, scenarios[name], work)
            shutil.rmtree(work)
        except (RuntimeError, OSError, KeyError, subprocess.TimeoutExpired) as error:
            failed.append(name)
            for output in glob.glob(os.path.join(work, "*", "output.txt")):  # the folder may be gone with its file system
                shutil.copyfile(output, os.path.join(options.out, f"{name}.failed.txt"))
            print(f"{name}: {error!r}, see {work}", flush=True)
    if failed:
        sys.exit(f"failed: {' '.join(failed)}")


if __name__ == "__main__":
    main()
