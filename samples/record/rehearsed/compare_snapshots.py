#!/usr/bin/env python3
"""Holds a rehearsed snapshot against a recorded one, event for event: action and requested size in order, segments,
and the peak of what was reserved. Addresses and times are not compared.

usage: compare_snapshots.py RECORDED.pickle REHEARSED.pickle [--show N]
Exit code 0: all events, segments and the peak are equal; 1: something differs.
"""
import argparse
import collections
import difflib
import pickle
import sys


def load(path):
    """Only snapshots of one's own: pickle runs what a file says."""
    with open(path, "rb") as file:
        snapshot = pickle.load(file)
    return snapshot, max(snapshot["device_traces"], key=len)


def keys(events):
    return [(event["action"], event["size"]) for event in events]


def reserved_peak(snapshot, events):
    level = peak = sum(segment["total_size"] for segment in snapshot["segments"])
    for event in reversed(events):
        if event["action"] in ("segment_alloc", "segment_map"):
            level -= event["size"]
        elif event["action"] in ("segment_free", "segment_unmap"):
            level += event["size"]
        peak = max(peak, level)
    return peak


def place(event):
    frames = [frame for frame in event.get("frames", []) if frame["filename"].endswith(".py")]
    return " < ".join(f"{frame['filename'].rsplit('/', 1)[-1]}:{frame['line']} {frame['name']}" for frame in frames[:3])


def differences(recorded, rehearsed, show):
    matcher = difflib.SequenceMatcher(None, keys(recorded), keys(rehearsed), autojunk=False)
    equal = 0
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            equal += b - a
        elif show > 0:
            show -= 1
            print(f"  {kind} at event {a}: recorded {keys(recorded[a:b])[:4]}, rehearsed {keys(rehearsed[c:d])[:4]}")
            print(f"    {place((recorded[a:b] or rehearsed[c:d])[0])}")
    return equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorded")
    parser.add_argument("rehearsed")
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    options = parser.parse_args()
    (snapshot_a, events_a), (snapshot_b, events_b) = load(options.recorded), load(options.rehearsed)
    equal = differences(events_a, events_b, options.show)
    most = max(len(events_a), len(events_b))
    segments = [collections.Counter(segment["total_size"] for segment in snapshot["segments"])
                for snapshot in (snapshot_a, snapshot_b)]
    peaks = reserved_peak(snapshot_a, events_a), reserved_peak(snapshot_b, events_b)
    print(f"events {len(events_a)} and {len(events_b)}, equal {equal} ({100 * equal / max(most, 1):.2f} %), "
          f"segments {'equal' if segments[0] == segments[1] else 'differ'}, reserved peak {peaks[0]} and {peaks[1]}")
    sys.exit(not (equal == most and segments[0] == segments[1] and peaks[0] == peaks[1]))


if __name__ == "__main__":
    main()
