#!/usr/bin/env python3
"""Writes the tables of resources/manual/rehearse-measured.md from the results of run.py.

    table.py [--rows rows.tsv] results.tsv > tables.md

A summary by source, then every row that was run, then those that were not and why. A row without a loop, or that
ended without a figure, is among the last; nothing is left out.
"""
import argparse
import csv
import pathlib

HERE = pathlib.Path(__file__).parent
UNITS = {"B": 1, "MiB": 1 << 20, "GiB": 1 << 30, "GB": 10**9}


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def plain(number, digits=2):
    """A number without trailing zeros and with a separator of thousands."""
    text = f"{number:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(fraction, sign=True):
    """Two decimals below a tenth of a per cent, one below ten, none above."""
    value = 100 * abs(fraction)
    if value < 0.005:
        return "0%"
    text = plain(value, 2 if value < 0.1 else 1 if value < 10 else 0)
    return ("+" if fraction > 0 else "−") * sign + text + "%"


def quantile(values, share):
    """The value that this share of the sorted values does not exceed, between neighbours where it falls there."""
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def is_figure(row):
    return row["quantity"] != "verdict" and row["rehearsed"] != ""


def is_verdict(row):
    return row["quantity"] == "verdict" and row["error"] != ""


def by_source(rows):
    groups = {}
    for row in rows:
        groups.setdefault(row["source"].partition("@")[0], []).append(row)
    return groups


def versions(rows, key):
    found = sorted({row[key].partition("+")[0] for row in rows}, key=lambda text: [int(n) for n in
                   "".join(c if c.isdigit() else " " for c in text).split()])
    return ", ".join(found)


def errors_of(rows):
    return sorted(abs(float(row["error"])) for row in rows)


def spread(rows):
    """Cells: rows, how many are equal, median, 90th percentile, and the worst with its sign."""
    errors = errors_of(rows)
    worst = max(rows, key=lambda row: abs(float(row["error"])))
    equal = sum(error < 0.00005 for error in errors)
    return (f"{len(rows)} | {equal} | {percent(quantile(errors, 0.5), False)} | "
            f"{percent(quantile(errors, 0.9), False)} | {percent(float(worst['error']))}")


def link(source):
    name, is_file, rest = source.partition("@")
    if not is_file:
        return name
    commit, _, path = rest.partition(":")
    return f"{name}@{commit} `{path}`"


def summary(rows):
    print("| Measured by | GPU | PyTorch measured | PyTorch rehearsed | Rows | Equal | Median | 90% within | Worst |")
    print("|---|---|---|---|---:|---:|---:|---:|---:|")
    for group in by_source(rows).values():
        gpus = ", ".join(dict.fromkeys(row["gpu"] for row in group))
        print(f"| {link(group[0]['source'])} | {gpus} | {versions(group, 'torch')} | {versions(group, 'torch_used')} | "
              f"{spread(group)} |")
    print(f"| all | | | | {spread(rows)} |")
    print()


def figure_cell(row):
    unit = "MiB" if row["unit"] == "B" else row["unit"]
    digits = 2 if unit == "MiB" else 4 if unit == "GiB" else len(row["measured"].partition(".")[2])
    measured = float(row["measured"]) * UNITS[row["unit"]] / UNITS[unit]
    return f"{plain(measured, digits)} {unit} | {plain(float(row['rehearsed']) / UNITS[unit], digits)} {unit}"


def every_figure(rows):
    for group in by_source(rows).values():
        others = any(row["others"] for row in group)
        print(f"### {group[0]['source'].partition('@')[0]}\n")
        more = " Other estimators, as published there |" if others else ""
        print(f"| Run | GPU | Peak | Measured | Rehearsed | Error |{more}")
        print("|---|---|---|---:|---:|---:|" + ("---|" if others else ""))
        for row in group:
            print(f"| {row['what']} | {row['gpu']} | {row['quantity']} | {figure_cell(row)} | "
                  f"{percent(float(row['error']))} |" + (f" {row['others']} |" if others else ""))
        print()


def estimators(rows):
    """Errors that other estimators published for rows above, beside those of the rehearsals of the same rows."""
    found = {}
    for row in rows:
        for part in filter(None, row["others"].split(", ")):
            name, _, error = part.rpartition(" ")
            fraction = float(error.replace("−", "-").rstrip("%")) / 100
            found.setdefault(name, []).append((abs(fraction), row))
    if not found:
        return
    print("### Other estimators on the same rows\n")
    print("| Estimator, figures of | Rows | Its error: median, worst | Rehearsed: median, worst |\n|---|---:|---|---|")
    for name, pairs in found.items():
        theirs, ours = sorted(error for error, _ in pairs), errors_of([row for _, row in pairs])
        sources = ", ".join(dict.fromkeys(row["source"].partition("@")[0] for _, row in pairs))
        cells = [f"{percent(quantile(errors, 0.5), False)}, {percent(errors[-1], False)}" for errors in (theirs, ours)]
        print(f"| {name}, {sources} | {len(pairs)} | {cells[0]} | {cells[1]} |")
    print()


def verdicts(rows):
    if not rows:
        return
    print(f"### Fit or not: {len(rows)} published answers\n")
    for group in by_source(rows).values():
        counts = {word: sum(row["error"] == word for row in group) for word in ("right", "undecided", "wrong")}
        print(f"- {link(group[0]['source'])}, {group[0]['gpu']}, PyTorch measured {versions(group, 'torch')}, "
              f"rehearsed {versions(group, 'torch_used')}: {counts['right']} right, {counts['undecided']} too close to tell, "
              f"{counts['wrong']} wrong")
    print()
    print("| Run | Published | Rehearsed | |\n|---|---|---|---|")
    for row in rows:
        judged = "too close to tell" if row["error"] == "undecided" else row["error"]
        print(f"| {row['what']} | {row['measured']} | {row['rehearsed']} | {judged} |")
    print()


def missing(rows):
    if not rows:
        return
    reasons = {}
    for row in rows:
        reasons.setdefault((row["source"].partition("@")[0], row["remark"] or "not run yet"), []).append(row["what"])
    print("### Not run\n\n| Source | Rows | Why |\n|---|---|---|")
    for (source, reason), names in reasons.items():
        listed = "; ".join(dict.fromkeys(names))
        print(f"| {source} | {listed if len(names) < 9 else f'{len(names)} rows'} | {reason} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=pathlib.Path, default=HERE / "rows.tsv")
    parser.add_argument("results", type=pathlib.Path)
    options = parser.parse_args()
    results = {row["row"]: row for row in rows_of(options.results)}
    empty = {"torch_used": "", "rehearsed": "", "error": ""}
    rows = [{**row, **{key: results.get(row["row"], empty)[key] for key in empty},
             "remark": results.get(row["row"], row)["remark"] or row["remark"]} for row in rows_of(options.rows)]
    figures = [row for row in rows if is_figure(row)]
    if figures:
        summary(figures)
        estimators(figures)
        every_figure(figures)
    verdicts([row for row in rows if is_verdict(row)])
    missing([row for row in rows if not is_figure(row) and not is_verdict(row)])


if __name__ == "__main__":
    main()
