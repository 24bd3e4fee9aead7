#!/usr/bin/env python3
"""Prints how many texts each view shows of some files, and what is wrong with them: a table with one line a file and
view, over three sizes of the window, three themes, and one and two pixels for one.

    tests/bench/painted_labels.py BUILD SUBJECT...

BUILD is a build folder with its tests. A SUBJECT is a file, a folder of ranks, two files to compare with "<>" between
them, or "" for the start page. A text is at fault where it meets another, is painted over, is cut though no tool tip has
the whole, or contrasts less than 4.5 : 1 with what is behind it; on the timeline also where it leaves its area or covers
the peak (painted_labels_test)."""
import os
import re
import subprocess
import sys

ROW = re.compile(r"SUBJECT (.*) SIZE (\S+) @(\S+) (\S+) VIEW (.*?) +(\d+) texts +(\d+) faults ?(.*)")


def absolute(subject):
    return "<>".join(os.path.abspath(part) if part else "" for part in subject.split("<>"))


def rows_of(program, subjects, scale):
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", QT_SCALE_FACTOR=str(scale),
                       HIGHWATER_LABEL_FILES="|".join(subjects), QTEST_FUNCTION_TIMEOUT=str(6 * 3600 * 1000))
    done = subprocess.run([program, "shown_texts_test", "ofOtherFilesAreTold"], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    rows = [match.groups() for match in map(ROW.search, done.stdout.splitlines()) if match]
    if done.returncode or not rows:
        sys.exit(done.stdout[-4000:])
    return rows


def main():
    program = os.path.join(sys.argv[1], "bin", "highwater_window_tests")
    subjects = [absolute(subject) for subject in sys.argv[2:]]
    tallies, faults = {}, []
    for scale in (1, 2):
        for subject, size, pixels, theme, view, texts, count, told in rows_of(program, subjects, scale):
            tally = tallies.setdefault((subject, view), [0, 0, 0])
            tally[0] += 1
            tally[1] += int(texts)
            tally[2] += int(count)
            faults += [f"{subject} {size} @{pixels} {theme} {view}: {fault}" for fault in told.split("; ") if fault]
    print(f"{'file':44} {'view':28} {'looks':>5} {'texts':>7} {'faults':>6}")
    for (subject, view), (looks, texts, count) in tallies.items():
        print(f"{subject:44} {view:28} {looks:5} {texts:7} {count:6}")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
