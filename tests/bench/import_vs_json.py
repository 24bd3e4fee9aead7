#!/usr/bin/env python3
"""How much faster `highwater` turns a profiler trace into its model than CPython's json.loads parses it, in one run.

usage: import_vs_json.py HIGHWATER FILE.json.gz...

The file is unpacked first. "text to model" is the stage `decode` of `highwater bench`: opening the unpacked file, reading
and interpreting it, sorting, pairing. json.loads is given the text in memory, with its garbage collector on as everybody
calls it. "packed" opens the packed file; what inflating costs is measured with the same library (zlib) on its own.
Programs are started alternately, RUNS times; the medians count.
"""
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile

RUNS = 7
LOADS = "import json, sys, time\ntext = open(sys.argv[1], 'rb').read().decode()\nbegin = time.perf_counter()\njson.loads(text)\nprint(time.perf_counter() - begin)"
INFLATE = "import sys, time, zlib\ndata = open(sys.argv[1], 'rb').read()\nbegin = time.perf_counter()\nzlib.decompress(data, wbits=47)\nprint(time.perf_counter() - begin)"


def decode_seconds(binary, path):
    return json.loads(subprocess.check_output([binary, "bench", path, "--json", "--quiet"]))["decode"]


def script_seconds(script, path):
    return float(subprocess.check_output([sys.executable, "-c", script, path]))


def measure(binary, packed):
    with tempfile.TemporaryDirectory() as scratch:
        plain = os.path.join(scratch, "trace.json")
        with gzip.open(packed) as source, open(plain, "wb") as target:
            target.write(source.read())
        size = os.path.getsize(plain)
        runs = {name: [] for name in ("model", "loads", "packed", "inflate")}
        for _ in range(RUNS):
            runs["model"].append(decode_seconds(binary, plain))
            runs["loads"].append(script_seconds(LOADS, plain))
            runs["packed"].append(decode_seconds(binary, packed))
            runs["inflate"].append(script_seconds(INFLATE, packed))
    median = {name: statistics.median(seconds) for name, seconds in runs.items()}
    print(f"{os.path.basename(packed)}  {size / 2**20:.0f} MiB of text")
    print(f"  text to model  {median['model']:.3f} s  {size / median['model'] / 1e6:.0f} MB/s  (fastest {min(runs['model']):.3f}, slowest {max(runs['model']):.3f})")
    print(f"  json.loads     {median['loads']:.3f} s  ratio {median['loads'] / median['model']:.1f} x")
    print(f"  packed         {median['packed']:.3f} s  inflating alone {median['inflate']:.3f} s, on top of it {median['packed'] - median['inflate']:+.3f} s")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for name in sys.argv[2:]:
        measure(sys.argv[1], name)
