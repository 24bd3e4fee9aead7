#!/usr/bin/env python3
"""Cuts parts out of snapshots and opens each in PyTorch's own `_memory_viz.py`.

    tests/bench/cut_in_viewer.py build/ci/bin/highwater _memory_viz.py SNAPSHOT...

Needs torch/cuda/_memory_viz.py of any PyTorch, and not PyTorch itself. Of each snapshot five random ranges of
each device are cut. Live and reserved bytes after every event are worked out here, from the pickles alone,
and compared between the whole and its parts.
"""

import importlib.util
import io
import pickle
import random
import subprocess
import sys
import tempfile

PARTS = 5


class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"asks for {module}.{name}")


def load(path):
    bytes_ = open(path, "rb").read()
    if bytes_[:4] == b"\x28\xb5\x2f\xfd":
        bytes_ = subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout
    return Plain(io.BytesIO(bytes_)).load()


def requested(block):
    if "history" in block:
        return block["history"][0]["real_size"]
    return block.get("requested_size", block["size"])


def totals(snapshot, device):
    """(live, reserved) after each event, the state before the first one first: undone from the end."""
    segments = [s for s in snapshot["segments"] if s["device"] == device]
    live = sum(requested(b) for s in segments for b in s["blocks"] if b["state"] != "inactive")
    reserved = sum(s["total_size"] for s in segments)
    after = []
    for event in reversed(snapshot["device_traces"][device]):
        after.append((live, reserved))
        size = event["size"]
        live += {"alloc": -size, "free_completed": size, "free": size}.get(event["action"], 0)
        reserved += {"segment_alloc": -size, "segment_map": -size, "segment_free": size,
                     "segment_unmap": size}.get(event["action"], 0)
    return [(live, reserved), *reversed(after)]


def open_in_viewer(viewer, snapshot):
    viewer.segsum(snapshot)
    viewer.trace(snapshot)
    viewer.trace_plot(snapshot)
    viewer.trace_plot(snapshot, plot_segments=True)
    viewer.segment_plot(snapshot)
    for draw in (viewer.segments, viewer.memory):
        draw(snapshot, format_flamegraph=lambda lines: lines)


def ranges(chance, events):
    yield (0, events)
    for _ in range(PARTS - 1):
        first, last = sorted((chance.randrange(events), chance.randrange(events)))
        yield (first, last + 1)


def main():
    program, viewer_path, *files = sys.argv[1:]
    spec = importlib.util.spec_from_file_location("memory_viz", viewer_path)
    viewer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(viewer)
    chance = random.Random(1)
    for path in files:
        whole = load(path)
        opened = different = 0
        for device, trace in enumerate(whole["device_traces"]):
            known = totals(whole, device)
            for first, last in ranges(chance, len(trace)) if trace else ():
                with tempfile.NamedTemporaryFile(suffix=".pickle") as out:
                    subprocess.run([program, "cut", path, "--device", str(device), "--events",
                                    f"{first}:{last}", "-o", out.name, "--force"], check=True,
                                   stdout=subprocess.DEVNULL)
                    part = load(out.name)
                    subprocess.run([program, "info", out.name], check=True, stdout=subprocess.DEVNULL)
                open_in_viewer(viewer, part)
                opened += 1
                if totals(part, device) != known[first:last + 1]:
                    different += 1
                    print(f"{path}: cuda:{device} {first}:{last} has other totals")
        print(f"{path}: {opened} parts open in the viewer and here; {different} with other totals")


if __name__ == "__main__":
    main()
