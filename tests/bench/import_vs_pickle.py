#!/usr/bin/env python3
"""How much faster `highwater info` reads a snapshot than CPython's pickle.load, measured in one run.

usage: import_vs_pickle.py HIGHWATER FILE.pickle...      (FILE: uncompressed; the larger, the better)

Each program is started alternately, RUNS times; the medians count. The whole process is timed for highwater (start,
reading, pairing, figures), pickle.load alone for Python. Files are read once before, so they are in the page cache.
"""
import os
import statistics
import subprocess
import sys
import time

RUNS = 5
LOAD = "import gc, pickle, sys, time\nif sys.argv[2] == 'off': gc.disable()\nfile = open(sys.argv[1], 'rb')\nbegin = time.perf_counter()\npickle.load(file)\nprint(time.perf_counter() - begin)"


def run_highwater(binary, path):
    begin = time.perf_counter()
    child = subprocess.Popen([binary, "info", path, "--json", "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"highwater failed on {path}: exit {child.returncode}")
    return time.perf_counter() - begin, usage.ru_maxrss * 1024


def run_pickle(path, collector):
    return float(subprocess.check_output([sys.executable, "-c", LOAD, path, collector]))


def measure(binary, path):
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass
    ours, collecting, plain, memory = [], [], [], 0
    for _ in range(RUNS):
        seconds, peak = run_highwater(binary, path)
        ours.append(seconds)
        memory = max(memory, peak)
        collecting.append(run_pickle(path, "on"))
        plain.append(run_pickle(path, "off"))
    size, mine = os.path.getsize(path), statistics.median(ours)
    print(f"{os.path.basename(path)}  {size / 2**20:.0f} MiB")
    print(f"  highwater info          {mine:7.3f} s  {size / mine / 1e6:6.0f} MB/s  peak memory {memory / 2**20:.0f} MiB = {memory / size:.2f} x file")
    for name, times in (("pickle.load", collecting), ("pickle.load, gc off", plain)):
        value = statistics.median(times)
        print(f"  {name:22}  {value:7.3f} s  ratio {value / mine:5.1f} x")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for name in sys.argv[2:]:
        measure(sys.argv[1], name)
