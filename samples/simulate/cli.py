"""Command line: writes snapshots, other encodings of one of them, broken files; checks files."""
import argparse
import pathlib

from simulate import broken, check, cupti_text, encodings, kineto, memory_timeline, nsys
from simulate.output import write_snapshot
from simulate.scenarios import SCENARIOS
from simulate.scenarios.ranks import RANKS


def parse(arguments):
    parser = argparse.ArgumentParser(prog="simulate", description="Writes simulated PyTorch memory snapshots.")
    parser.add_argument("outdir", nargs="?", type=pathlib.Path, help="folder for the scenarios' .pickle.zst files")
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios to write (default: all)")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--raw", action="store_true", help="write .pickle, not compressed")
    parser.add_argument("--encodings", type=pathlib.Path, metavar="OUTDIR", help="write the tiny scenario in every encoding")
    parser.add_argument("--broken", type=pathlib.Path, metavar="OUTDIR", help="write inputs that must be refused, or opened as far as they go")
    parser.add_argument("--kineto", type=pathlib.Path, metavar="OUTDIR", help="write the profiler traces")
    parser.add_argument("--timeline", type=pathlib.Path, metavar="OUTDIR", help="write the exported memory timelines")
    parser.add_argument("--cupti", type=pathlib.Path, metavar="OUTDIR", help="write the CUPTI records as text")
    parser.add_argument("--nsys", type=pathlib.Path, metavar="OUTDIR", help="write the exports of Nsight Systems, and print their figures")
    parser.add_argument("--ranks", type=pathlib.Path, metavar="OUTDIR", help="write the run of four ranks, one file each")
    parser.add_argument("--check", type=pathlib.Path, nargs="+", metavar="FILE", help="check snapshots for consistency")
    options = parser.parse_args(arguments)
    if not (options.list or options.check or options.outdir or options.encodings or options.broken or options.kineto
            or options.timeline or options.cupti or options.nsys or options.ranks):
        parser.error("name an output folder, or one of --list, --encodings, --broken, --kineto, --timeline, --cupti, --nsys, --ranks, "
                     "--check")
    unknown = [name for name in options.names if name not in SCENARIOS]
    if unknown:
        parser.error(f"no scenario named {', '.join(unknown)} (see --list)")
    return options


def write_scenarios(folder, names, raw):
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names or SCENARIOS:
        path, size = write_snapshot(folder, name, SCENARIOS[name][1](), raw)
        print(f"{path.name:40} {path.stat().st_size:>9} bytes ({size} unpacked)")
        paths.append(path)
    return paths


def write_ranks(folder, raw):
    folder.mkdir(parents=True, exist_ok=True)
    return [write_snapshot(folder, name, play(), raw)[0] for name, play in RANKS.items()]


def write_files(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files:
        (folder / name).write_bytes(data)
        print(f"{name:40} {len(data):>9} bytes")


def main(arguments=None):
    options = parse(arguments)
    if options.list:
        print("\n".join(f"{name:28} {text}" for name, (text, _) in SCENARIOS.items()))
    paths = list(options.check or [])
    if options.outdir:
        paths += write_scenarios(options.outdir, options.names, options.raw)
    if options.ranks:
        paths += write_ranks(options.ranks, options.raw)
    if options.encodings:
        write_files(options.encodings, encodings.files())
    if options.broken:
        write_files(options.broken, broken.files())
    if options.kineto:
        write_files(options.kineto, kineto.files())
    if options.timeline:
        write_files(options.timeline, memory_timeline.files())
    if options.cupti:
        write_files(options.cupti, cupti_text.files())
    if options.nsys:
        write_files(options.nsys, nsys.files())
        nsys.report()
    return check.report(paths) if paths else 0
