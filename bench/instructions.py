#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Host instructions of the decoder, counted by callgrind: exact, and the same
on every run. Two lengths of a stream are decoded and the difference is reported,
so that code which is seen for the first time does not count.

    instructions.py COMPARE [--mb N] [--only TEXT] [--what LEVEL[,LEVEL...]]

COMPARE is bench/compare. For each stream and level (ranges, insns, coverage,
packets): host instructions for a byte of trace and for a traced instruction,
or packet.
"""
import argparse
import re
import shutil
import subprocess
import sys


def measure(compare, name, level, mb):
    """(host instructions, bytes, traced instructions or packets) or None"""
    short, long = count(compare, name, level, mb), None
    if short:
        long = count(compare, name, level, 2 * mb)
    return long and tuple(b - a for a, b in zip(short, long))


def count(compare, name, level, mb):
    ran = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=etm_bench_contender_push", compare, "--only", name,
         "--what", level, "--mb", str(mb), "--rounds", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    size = re.search(re.escape(name) + r": \d+ bytes, repeated to (\d+);",
                     ran.stdout)
    collected = re.search(r"Collected : (\d+)", ran.stderr)
    if not size or not collected:
        return None
    number = re.search(r"^" + re.escape(name) + r": " + level + r" (\d+)$",
                       ran.stdout, re.M)
    return (int(collected.group(1)), int(size.group(1)),
            int(number.group(1)) if number else 0)


def main():
    parser = argparse.ArgumentParser(
        description="Host instructions of the decoder, counted by callgrind.")
    parser.add_argument("compare")
    parser.add_argument("--mb", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--what", default="ranges,insns,coverage,packets")
    options = parser.parse_args()
    levels = options.what.split(",")
    if not shutil.which("valgrind"):
        print("there is no valgrind: skipped")
        return 0
    listed = subprocess.run([options.compare, "--list"], check=True, text=True,
                            stdout=subprocess.PIPE)
    print("| host instructions |"
          + "".join(f" {level}: per byte | each |" for level in levels))
    print("| --- |" + " --: | --: |" * len(levels))
    for name in listed.stdout.splitlines():
        if options.only not in name:
            continue
        row = [measure(options.compare, name, level, options.mb)
               for level in levels]
        if not any(row):
            continue
        print(f"| {name} |" + "".join(
            f" {r[0] / r[1]:.1f} | {r[0] / r[2]:.2f} |" if r and all(r) else
            " | |" for r in row), flush=True)
    return 0


sys.exit(main())
