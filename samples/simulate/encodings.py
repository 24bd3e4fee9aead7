"""The tiny scenario in every container and encoding that a reader can meet."""
import base64
import copy
import gzip
import json
import pickle

from simulate import cpp_writer
from simulate.output import compress, to_pickle
from simulate.scenarios import tiny

HIGH = 1 << 63
PAGE = """
<!DOCTYPE html>
<html>
<head>
</head>
<body>
<script type="module">
import {{add_local_files}} from "https://cdn.jsdelivr.net/gh/pytorch/pytorch@main/torch/utils/viz/MemoryViz.js"
const local_files = {files}
add_local_files(local_files, 'Active Memory Timeline')
</script>
</body>
"""


def files():
    snapshot = tiny.play()
    data = to_pickle(snapshot)
    yield "tiny.json", json.dumps(snapshot).encode()
    yield "tiny.html", page(data)
    yield "tiny.pickle.gz", gzip.compress(data, mtime=0)
    yield "tiny.pickle.zst", compress(data)
    for protocol in range(6):
        yield f"tiny-protocol-{protocol}.pickle", to_pickle(snapshot, protocol)
    yield "tiny-trailing-zeros.pickle", data + bytes(3)
    yield "tiny-segments-only.pickle", pickle.dumps(snapshot["segments"], 4)
    yield "tiny-cpp-writer.pickle", cpp_writer.encode(snapshot)
    yield "tiny-cpp-writer-high-addresses.pickle", cpp_writer.encode(high_addresses(snapshot))
    yield "tiny-high-addresses.pickle", to_pickle(high_addresses(snapshot))
    yield "tiny-torch-1.13-list.pickle", pickle.dumps(old_segments(snapshot, requested=False), 4)
    yield "tiny-torch-2.0-dict.pickle", pickle.dumps(old_dict(snapshot), 4)


def page(data):
    """What torch/cuda/_memory_viz.py trace_plot writes: base64 with one to three zero bytes behind the pickle."""
    padded = data + bytes(3 - len(data) % 3)
    text = json.dumps([{"name": "snapshot.pickle", "base64": base64.b64encode(padded).decode()}])
    return PAGE.format(files=text).encode()


def high_addresses(snapshot):
    """Addresses of 2**63 and above: 9 bytes from Python, negative from C++."""
    moved = copy.deepcopy(snapshot)
    for segment in moved["segments"]:
        segment["address"] += HIGH
        for block in segment["blocks"]:
            block["address"] += HIGH
    for entry in moved["device_traces"][0]:
        if "addr" in entry:
            entry["addr"] += HIGH
    return moved


def old_segments(snapshot, requested):
    """Blocks of 1.13 and 2.0: no address, no frames, a history whose first entry is the current allocation."""
    dropped = ("requested_size", "segment_pool_id", "is_expandable", "frames", "blocks")
    result = []
    for segment in snapshot["segments"]:
        old = {key: value for key, value in segment.items() if key not in dropped or (key == "requested_size" and requested)}
        old["blocks"] = [old_block(block, requested) for block in segment["blocks"]]
        result.append(old)
    return result


def old_block(block, requested):
    old = {"size": block["size"]}
    if requested:
        old["requested_size"] = block["requested_size"]
    old["state"] = block["state"]
    if block["requested_size"]:
        old["history"] = history(block)
    return old


def history(block):
    """Entry 0 as described; an inactive block keeps a remnant, and so does the tail of an active one."""
    current = {"addr": block["address"], "real_size": block["requested_size"], "frames": block["frames"]}
    tail = block["address"] + block["size"] - 512
    remnant = {"addr": tail, "real_size": 512, "frames": block["frames"]}
    return [current, remnant] if block["size"] > block["requested_size"] and block["size"] > 512 else [current]


def old_dict(snapshot):
    trace = [{key: value for key, value in entry.items() if key != "time_us"} for entry in snapshot["device_traces"][0]]
    return {"segments": old_segments(snapshot, requested=True), "device_traces": [trace]}
