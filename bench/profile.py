#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of a level goes: shares of the decoder's functions, from perf's
samples of processor time.

    profile.py AGAIN [--what LEVEL[,LEVEL...]] [--seconds N] [STREAM...]

AGAIN is bench/again. STREAM: the beginning of a stream's name, or a snapshot;
all streams without any. LEVEL: ranges, insns, coverage, packets.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

LEAST = 4  # per cent; functions with less are "others"


def shares(again, level, stream, seconds):
    """[(function, per cent), ...], the most first; None where the stream
    cannot be had"""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "perf.data")
        ran = subprocess.run(
            ["perf", "record", "-q", "-F", "5000", "-e", "cpu-clock:u", "-o",
             data, again, level, stream, str(seconds)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            check=False)
        if ran.returncode != 0:
            print(ran.stderr, file=sys.stderr, end="")
            return None
        report = subprocess.run(
            ["perf", "report", "-i", data, "--stdio", "--sort", "symbol",
             "-g", "none"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            check=True)
    found = re.findall(r"^ +([\d.]+)% +\[\.\] (\S+)", report.stdout, re.M)
    # a clone of a function, as compilers make them, has a suffix
    return [(name.split(".")[0], float(share)) for share, name in found]


def row(found):
    most = [(name, share) for name, share in found if share >= LEAST]
    rest = 100 - sum(share for _, share in most)
    return ", ".join([f"`{name}` {share:.0f}" for name, share in most]
                     + [f"others {rest:.0f}"])


def main():
    parser = argparse.ArgumentParser(
        description="Where the time of the decoder goes.")
    parser.add_argument("again")
    parser.add_argument("--what", default="ranges,insns,coverage")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("streams", nargs="*", metavar="STREAM")
    options = parser.parse_intermixed_args()
    if not shutil.which("perf"):
        print("there is no perf: skipped")
        return 0
    streams = options.streams or subprocess.run(
        [options.again, "--list"], check=True, text=True,
        stdout=subprocess.PIPE).stdout.splitlines()
    print("| stream | level | per cent of the time |\n| --- | --- | --- |")
    for stream in streams:
        for level in options.what.split(","):
            found = shares(options.again, level, stream, options.seconds)
            if found:
                print(f"| {os.path.basename(stream)} | {level} | {row(found)} |",
                      flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
