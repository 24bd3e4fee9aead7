#!/usr/bin/env python3
"""Copies recordings of record_scenarios.py to samples/rehearsed: with the paths of a neutral machine in their stacks, and
without those that are too large to be kept.

usage: keep_as_samples.py RECORDINGS SAMPLES [--most-kb 60]
"""
import argparse
import os
import pickle
import re
import shutil
import subprocess

NEUTRAL = ((re.compile(r"^.*/site-packages/"), "/usr/lib/python3/site-packages/"),
           (re.compile(r"^.*/lib/python3\.\d+/"), "/usr/lib/python3/"),
           (re.compile(r"^/tmp/scenarios/"), "/home/user/train/"),
           (re.compile(r"^.*/libpython[^/]*$"), "/usr/lib/libpython3.so"),
           (re.compile(r"^/tmp/python-build[^/]*/[^/]*/"), "/usr/src/python3/"),
           (re.compile(r"^.*/bin/python3[^/]*$"), "/usr/bin/python3"))


def neutral(path):
    for pattern, place in NEUTRAL:
        path, found = pattern.subn(place, path)
        if found:
            break
    return path


def load(path):
    """Only recordings of one's own: pickle runs what a file says."""
    return pickle.loads(subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout)


def frames_of(snapshot):
    for events in snapshot["device_traces"] + snapshot.get("host_traces", []):
        for event in events:
            yield from event.get("frames", [])
    for segment in snapshot["segments"] + snapshot.get("host_segments", []):
        yield from segment.get("frames", [])
        for block in segment["blocks"]:
            yield from block.get("frames", [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings")
    parser.add_argument("samples")
    parser.add_argument("--most-kb", type=int, default=60)
    options = parser.parse_args()
    os.makedirs(options.samples, exist_ok=True)
    for file in sorted(os.listdir(options.recordings)):
        stem = file.removesuffix(".pickle.zst")
        if stem == file or os.path.getsize(os.path.join(options.recordings, file)) > options.most_kb * 1000:
            continue
        snapshot = load(os.path.join(options.recordings, file))
        places = {}
        for frame in frames_of(snapshot):
            path = frame["filename"]
            frame["filename"] = places.setdefault(path, neutral(path))
        packed = subprocess.run(["zstd", "-19", "-cq"], input=pickle.dumps(snapshot), check=True, stdout=subprocess.PIPE)
        with open(os.path.join(options.samples, file), "wb") as target:
            target.write(packed.stdout)
        labels = stem + ".labels.json.zst"
        shutil.copyfile(os.path.join(options.recordings, labels), os.path.join(options.samples, labels))


if __name__ == "__main__":
    main()
