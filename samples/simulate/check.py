"""Consistency of a snapshot, independent of how it was made. Refuses every global in the pickle."""
import io
import pickle
import subprocess

ADDING, REMOVING = ("segment_alloc", "segment_map"), ("segment_free", "segment_unmap")


class _Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"refused {module}.{name}")


def load(path):
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return _Plain(io.BytesIO(data)).load()


def report(paths):
    """One line a file; 1 when any of them is inconsistent."""
    worst = 0
    for path in paths:
        snapshot = load(path)
        failures = failures_of(snapshot)
        print(f"{path.name}: {'inconsistent' if failures else 'consistent'}")
        for line in failures + figures(snapshot):
            print(f"  {line}")
        worst = max(worst, bool(failures))
    return int(worst)


def failures_of(snapshot):
    failures = []
    for segment in snapshot["segments"]:
        failures += _segment(segment)
    for device, trace, segments in _devices(snapshot):
        failures += [f"device {device}: {text}" for text in _history(trace, segments)]
    return failures


def figures(snapshot):
    """Requested bytes: at the start, at the peak, at the end."""
    lines = []
    for device, trace, segments in _devices(snapshot):
        final = _active(segments)
        now = peak = start = sum(_undone(trace, final).values())
        for entry in trace:
            now += entry["size"] * ((entry["action"] == "alloc") - (entry["action"] == "free_completed"))
            peak = max(peak, now)
        lines.append(f"device {device}: {len(trace)} events, initial {start}, peak {peak}, final {now}")
    return lines


def _devices(snapshot):
    for device, trace in enumerate(snapshot["device_traces"]):
        yield device, trace, [segment for segment in snapshot["segments"] if segment["device"] == device]


def _active(segments):
    return {block["address"]: block for segment in segments for block in segment["blocks"] if block["state"] != "inactive"}


def _segment(segment):
    """Check 1: sums agree, no gaps."""
    blocks = segment["blocks"]
    active = [block for block in blocks if block["state"] != "inactive"]
    sums = {
        "total_size": sum(block["size"] for block in blocks),
        "allocated_size": sum(block["size"] for block in blocks if block["state"] == "active_allocated"),
        "active_size": sum(block["size"] for block in active),
        "requested_size": sum(block["requested_size"] for block in active),
    }
    where = f"segment {segment['address']:#x}"
    failures = [f"{where}: {key} is {segment[key]}, blocks say {value}" for key, value in sums.items() if segment[key] != value]
    expected = segment["address"]
    for block in blocks:
        if block["address"] != expected or block["size"] % 512:
            failures.append(f"{where}: block at {block['address']:#x} is out of place")
        expected = block["address"] + block["size"]
    return failures


def _history(trace, segments):
    final = _active(segments)
    initial = _undone(trace, final)
    return (_replay(trace, initial, final) + _stacks(trace, final) + _pairs(trace) + _reserved(trace, segments)
            + _times(trace))


def _undone(trace, final):
    """What was alive before the first entry."""
    alive = {address: block["requested_size"] for address, block in final.items()}
    for entry in reversed(trace):
        if entry["action"] == "free_completed":
            alive[entry["addr"]] = entry["size"]
        elif entry["action"] == "alloc":
            alive.pop(entry["addr"], None)
    return alive


def _replay(trace, initial, final):
    """Checks 2 to 5: no address twice, frees match, never negative, alive at the end = active blocks."""
    failures, alive, total = [], dict(initial), sum(initial.values())
    for index, entry in enumerate(trace):
        if entry["action"] == "alloc":
            if entry["addr"] in alive:
                failures.append(f"event {index}: {entry['addr']:#x} is handed out twice")
            alive[entry["addr"]] = entry["size"]
            total += entry["size"]
        elif entry["action"] == "free_completed":
            if alive.pop(entry["addr"], None) != entry["size"]:
                failures.append(f"event {index}: frees {entry['size']} bytes that do not live there")
            total -= entry["size"]
        if total < 0:
            failures.append(f"event {index}: {total} bytes")
    if alive != {address: block["requested_size"] for address, block in final.items()}:
        failures.append("alive at the end differs from the active blocks")
    return failures


def _stacks(trace, final):
    """A live block and its alloc entry share one stack object; free pairs share theirs."""
    newest, asked, failures = {}, {}, []
    for index, entry in enumerate(trace):
        if entry["action"] == "alloc":
            newest[entry["addr"]] = entry
        elif entry["action"] == "free_requested":
            asked[entry["addr"]] = (index, entry)
        elif entry["action"] == "free_completed":
            newest.pop(entry["addr"], None)
            before, request = asked.pop(entry["addr"], (None, None))
            if before == index - 1 and request.get("frames") is not entry.get("frames"):
                failures.append(f"event {index}: the free pair does not share its stack")
    failures += [f"block {address:#x} does not share the stack of its alloc" for address, block in final.items()
                 if "frames" in newest.get(address, {}) and block["frames"] is not newest[address]["frames"]]
    return failures


def _pairs(trace):
    """A free_completed without request, or with another size."""
    asked, failures = {}, []
    for index, entry in enumerate(trace):
        if entry["action"] == "free_requested":
            asked[entry["addr"]] = entry["size"]
        elif entry["action"] == "free_completed" and asked.pop(entry["addr"], entry["size"]) != entry["size"]:
            failures.append(f"event {index}: completes a free of another size")
    return failures


def _reserved(trace, segments):
    change = sum(entry["size"] for entry in trace if entry["action"] in ADDING)
    change -= sum(entry["size"] for entry in trace if entry["action"] in REMOVING)
    running = sum(segment["total_size"] for segment in segments) - change
    failures = [] if running >= 0 else [f"reserved bytes at the start: {running}"]
    for index, entry in enumerate(trace):
        running += entry["size"] * ((entry["action"] in ADDING) - (entry["action"] in REMOVING))
        if running < 0:
            failures.append(f"event {index}: {running} bytes reserved")
    return failures


def _times(trace):
    """Check 7."""
    times = [entry["time_us"] for entry in trace]
    return [] if times == sorted(times) else ["time_us goes backwards"]
