"""What a viewer must say about the memory rows of an export: worked out here row by row, by no other means than adding up."""
from dataclasses import dataclass

HOST_KINDS = (0, 1)


@dataclass
class Figures:
    device: str
    events: int = 0
    initial: int = 0
    peak: int = 0
    peak_event: int = -1
    final: int = 0

    def line(self):
        return f"{self.device:22} {self.events:>5} {self.initial:>15,} {self.peak:>15,} {self.peak_event:>5} {self.final:>15,}"


def device_names(rows, cards):
    """(process, device id) → name. `cards`: (pid, device id) → physical card, where the export tells."""
    users = {}
    for row in rows:
        if row["memKind"] not in HOST_KINDS and (_pid(row), row["deviceId"]) not in cards:
            users.setdefault(row["deviceId"], set()).add(_pid(row))
    names = {}
    for row in rows:
        pid, number = _pid(row), row["deviceId"]
        if (pid, number) in cards:
            names[pid, number] = f"cuda:{cards[pid, number]}"
        else:
            names[pid, number] = f"cuda:{number}" + (f" · pid {pid}" if len(users.get(number, ())) > 1 else "")
    return names


def figures(export):
    rows = [row for _, row in sorted(enumerate(export.rows["CUDA_GPU_MEMORY_USAGE_EVENTS"]), key=lambda item: (item[1]["start"], item[0]))]
    cards = {(row["pid"], row["cudaId"]): row["gpuId"] for row in export.rows.get("TARGET_INFO_CUDA_DEVICE", [])}
    names = device_names(rows, cards)
    by_device = {}
    for row in rows:
        name = "host" if row["memKind"] in HOST_KINDS else names[_pid(row), row["deviceId"]]
        by_device.setdefault(name, []).append(row)
    return [_add_up(name, by_device[name]) for name in sorted(by_device, key=lambda name: (name == "host", name))]


def _add_up(name, rows):
    """Frees of what is live go before allocations at the same place and time. A free of what was never seen ends something older."""
    changes, live, seen, older = [], {}, set(), 0
    for row in _frees_first(rows):
        place = (row["globalPid"], row["contextId"], row["address"])
        if row["memoryOperationType"] == 0:
            live[place] = row["bytes"]
            changes.append(row["bytes"])
        elif place in live:
            changes.append(-live.pop(place))
        else:
            older += 0 if place in seen else row["bytes"]
            changes.append(0 if place in seen else -row["bytes"])
        seen.add(place)
    result = Figures(name, events=len(rows), initial=older, peak=older, final=older)
    for event, change in enumerate(changes):
        result.final += change
        if result.final > result.peak:
            result.peak, result.peak_event = result.final, event
    return result


def _frees_first(rows):
    """At one time and one place: what ends the block that is there goes first."""
    ordered = list(rows)
    for i in range(1, len(ordered)):
        j = i
        while j > 0 and _same_moment(ordered[j - 1], ordered[j]) and ordered[j]["memoryOperationType"] == 1 \
                and ordered[j - 1]["memoryOperationType"] == 0:
            ordered[j - 1], ordered[j] = ordered[j], ordered[j - 1]
            j -= 1
    return ordered


def _same_moment(a, b):
    return all(a[key] == b[key] for key in ("start", "globalPid", "contextId", "address"))


def _pid(row):
    return row["globalPid"] >> 24 & 0xFFFFFF
