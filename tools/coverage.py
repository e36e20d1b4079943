#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines and branches that the tests have reached: a row for each room of src and
one for all of them, and the numbers by file in BUILD/coverage.json, to be compared with those of another
commit.

    tools/coverage.py BUILD [OLD.json]
"""
import collections
import json
import subprocess
import sys


def rooms(path):
    """{room: [lines reached, lines, branches reached, branches]}"""
    with open(path) as f:
        files = json.load(f)["files"]
    total = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in files:
        parts = file["filename"].split("/")
        if parts[0] != "src":
            continue
        for room in ("/".join(parts[:2]), "total"):
            for i, key in enumerate(("line_covered", "line_total",
                                     "branch_covered", "branch_total")):
                total[room][i] += file[key]
    return total


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


def main():
    build = sys.argv[1]
    path = build + "/coverage.json"
    subprocess.run(["gcovr", "--root", ".", "--object-directory", build,
                    "--exclude-unreachable-branches", "--exclude-throw-branches",
                    "--gcov-ignore-parse-errors", "--filter", "src/",
                    "--json-summary", path, build], check=True)
    old = rooms(sys.argv[2]) if len(sys.argv) > 2 else {}
    print("| room | lines | of | branches | of |" +
          (" lines before | branches before |" if old else ""))
    print("| --- | --: | --: | --: | --: |" + (" --: | --: |" if old else ""))
    for room, n in sorted(rooms(path).items(), key=lambda r: (r[0] == "total", r)):
        b = old.get(room)
        print(f"| {room} | {percent(n[0], n[1])} | {n[1]} |"
              f" {percent(n[2], n[3])} | {n[3]} |" +
              (f" {percent(b[0], b[1])} | {percent(b[2], b[3])} |" if b else ""))


if __name__ == "__main__":
    main()
