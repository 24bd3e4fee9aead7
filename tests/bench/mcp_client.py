#!/usr/bin/env python3
"""Asks `highwater mcp` thirty questions about six files and holds the answers against `--json`.

    python3 -m venv ENV && ENV/bin/pip install mcp
    ENV/bin/python tests/bench/mcp_client.py build/ci/bin/highwater [FOLDER FILE FILE FILE FILE FILE FILE]

The client is the Python SDK of the Model Context Protocol. The questions are asked twice: after the
handshake of the older revisions, and under the one without. Without files those of samples/ are asked about.
"""

import asyncio
import json
import pathlib
import subprocess
import sys

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

MOST_BYTES = 8192
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
FILES = ["r1-grpo-before", "r1-grpo-after", "oom-fragmentation", "oom-too-big", "two-devices",
         "training-6-steps-annotated"]


def command(program, *arguments):
    run = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, check=False)
    return json.loads(run.stdout)


def at(document, part):
    for key in part.split("/")[1:]:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def questions(program, files):
    """(tool, arguments, part of the answer, what the command says)."""
    before, after, fragmented, too_big, devices, steps = files
    for file in files:
        yield ("open", {"files": [file]}, "/files/0/devices", command(program, "info", file))
    for file in files:
        yield ("peaks", {"files": [file], "top": 5}, "/live",
               command(program, "peaks", file, "--group", "site", "--top", 5))
    for file in (before, fragmented, too_big):
        yield ("peaks", {"files": [file], "group": "category", "at": 10}, "/live",
               command(program, "peaks", file, "--group", "category", "--at", 10, "--top", 10))
    yield ("peaks", {"files": [steps], "step": 2}, "/steps/2", command(program, "peaks", steps, "--step", 2))
    yield ("peaks", {"files": [devices], "device": "1", "group": "size"}, "/live/groups/0",
           command(program, "peaks", devices, "--device", 1, "--group", "size", "--top", 10))
    for file in (before, fragmented, too_big, steps):
        found = command(program, "findings", file)["findings"]
        yield ("findings", {"files": [file]}, "/findings/0",
               {"findings": [row for row in found if row["rank"] == 1]})
    for key in ("site", "category"):
        yield ("compare", {"before": before, "after": after, "group": key}, "/rows",
               command(program, "diff", before, after, "--group", key))
    yield ("compare", {"before": before, "after": after}, "/delta_bytes",
           command(program, "diff", before, after))
    for file in (fragmented, too_big):
        yield ("segments", {"files": [file]}, "/out_of_memory", command(program, "segments", file))
    yield ("segments", {"files": [steps], "at": 100}, "/reserved_bytes",
           command(program, "segments", steps, "--at", 100))
    yield ("what_if", {"files": [fragmented]}, "/fidelity", command(program, "what-if", fragmented))
    yield ("what_if", {"files": [fragmented], "settings": ["expandable_segments=true"]},
           "/what_if/reserved_peak_bytes",
           command(program, "what-if", fragmented, "--set", "expandable_segments=true"))
    for file, search in ((before, "size>=64MiB"), (steps, "backward")):
        rows = command(program, "export", file, "--what", "allocations", "--filter", search, "--no-stacks",
                       "-o", "-")["allocations"]
        yield ("allocations", {"files": [file], "filter": search}, "/matches", {"matches": len(rows)})


def value_of(result):
    text = result.content[0].text
    assert not result.is_error, text
    assert len(text.encode()) <= MOST_BYTES, len(text.encode())
    answer = json.loads(text)
    assert set(answer) == {"note", "answer", "next", "left_out", "caveats"}, answer.keys()
    return answer


async def whole(client, tool, arguments, part):
    """The part of an answer, asked for piece by piece if it does not fit into one."""
    said, start = None, 0
    while start is not None:
        answer = value_of(await client.call_tool(tool, {**arguments, "part": part, "from": start}))
        said = answer["answer"] if said is None else said + answer["answer"]
        start = next((left["next_from"] for left in answer["left_out"] if left["part"] == part), None)
    return said


async def ask(program, folder, files, mode):
    server = StdioServerParameters(command=program, args=["mcp", folder])
    asked = 0
    async with Client(stdio_client(server), mode=mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"open", "peaks", "findings", "compare", "segments", "what_if", "allocations",
                "figure"} <= names, names
        for tool, arguments, part, expected in questions(program, files):
            said, known = await whole(client, tool, arguments, part), at(expected, part)
            if tool == "findings":  # sentences may be shortened, figures are not
                said = {key: said[key] for key in ("rule", "grade", "bytes", "event", "rank")}
                known = {key: known[key] for key in said}
            assert said == known, (tool, arguments, part, said, known)
            answer = value_of(await client.call_tool(tool, arguments))
            first = next(iter(answer["answer"]))
            assert first == ("before" if tool == "compare" else "diagnosis"), (tool, first)
            asked += 1
        for outside in ("/etc/passwd", "../../../../etc/passwd", str(pathlib.Path(folder).parent)):
            refused = await client.call_tool("open", {"files": [outside]})
            assert refused.is_error and "outside" in refused.content[0].text, refused
    return asked


def main():
    program = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else str(SAMPLES / "pytorch-snapshot")
    files = sys.argv[3:] or [str(pathlib.Path(folder) / f"{name}.pickle.zst") for name in FILES]
    for mode in ("legacy", "auto"):
        asked = asyncio.run(ask(program, folder, files, mode))
        print(f"{mode}: {asked} questions, every answer is the command's; three paths outside are refused")


if __name__ == "__main__":
    main()
