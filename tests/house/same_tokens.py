#!/usr/bin/env python3
"""Shows that a change touched comments only: compares the token streams of C++ files at two commits.

    tests/house/same_tokens.py BASE [HEAD]      HEAD is the working tree by default

Prints each file whose tokens differ once comments and white space are gone; exits with 1 if there is one.
"""
import re
import subprocess
import sys

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<number>\.?\d(?:'?[\w.])*)"
    r"|(?P<char>'(?:\\.|[^'\\\n])+')"
    r'|(?P<word>\w+)'
    r'|(?P<mark>[^\s\w])',
    re.DOTALL)


def tokens(text):
    return [match.group() for match in TOKEN.finditer(text.replace("\\\n", "")) if match.lastgroup != "comment"]


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def main():
    base, head = sys.argv[1], sys.argv[2:]
    changed = [line for line in git("diff", "--name-only", base, *head).splitlines()
               if line.endswith((".cpp", ".h", ".c"))]
    different = []
    for path in changed:
        before = subprocess.run(["git", "show", f"{base}:{path}"], capture_output=True, text=True).stdout
        if head:
            after = subprocess.run(["git", "show", f"{head[0]}:{path}"], capture_output=True, text=True).stdout
        else:
            try:
                after = open(path).read()
            except FileNotFoundError:
                after = ""
        if tokens(before) != tokens(after):
            different.append(path)
    print("\n".join(different) or f"{len(changed)} files: the same tokens")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
