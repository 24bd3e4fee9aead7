#!/usr/bin/env python3
"""Prints, for each of some files in both themes, how many texts the timeline paints and what is wrong with them.

    tests/bench/painted_labels.py BUILD FILE...

BUILD is a build folder with its tests. A text is at fault where it meets another, leaves its area, covers the peak, is cut, or
contrasts less than 4.5 : 1 with what is behind it."""
import os
import subprocess
import sys


def main():
    build, files = sys.argv[1], [os.path.abspath(path) for path in sys.argv[2:]]
    program = os.path.join(build, "bin", "highwater_window_tests")
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HIGHWATER_LABEL_FILES=":".join(files))
    done = subprocess.run([program, "painted_labels_test", "ofOtherFilesAreTold"], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    rows = [line.split(") ", 1)[1] for line in done.stdout.splitlines() if " labels " in line]
    print("\n".join(rows))
    return 0 if done.returncode == 0 and len(rows) == 2 * len(files) and all(" 0 faults" in row for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
