#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the command lists, beside OpenCSD's trc_pkt_lister on the same
snapshots: packets, ranges and instructions, as text and as JSON Lines.

    listing.py ETM LISTING [--mb N] [--rounds N] [--only TEXT] [--file]

ETM is the command and LISTING the program beside this one, which makes the
snapshots; ETM_SHARED names the folder with the captures. Each command runs on
one core, ours and theirs in turn; times are the medians of the processor time.
Output goes to /dev/null, or with --file to a file that is then removed.
"""
import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

FORMATS = ["text", "jsonl"]
OURS = {"packets": ["packets"],
        "ranges": ["decode", "--jobs", "1"],
        "instructions": ["decode", "--jobs", "1", "--level", "instructions"]}
# theirs has ranges, no instructions
THEIRS = {"packets": [], "ranges": ["-decode_only"]}


def run(command, folder):
    """Processor time of a command, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime)


def count(command, folder, path=None):
    """Lines and bytes that a command writes."""
    if path:
        run(command, folder)
        stream = open(path, "rb")
    else:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        stream = process.stdout
    lines = size = 0
    while piece := stream.read(1 << 20):
        lines += piece.count(b"\n")
        size += len(piece)
    stream.close()
    if not path:
        process.wait()
    return lines, size


class Bench:
    def __init__(self, options):
        self.o = options
        self.folder = tempfile.mkdtemp(prefix="etm-listing-")
        self.out = os.path.join(self.folder, "out")
        self.rival = shutil.which("trc_pkt_lister")

    def ours(self, what, form, snapshot, out=None):
        command, *options = OURS[what]
        return [self.o.etm, command, snapshot, *options, "--format", form,
                *(["-o", out] if out else [])]

    def theirs(self, what, snapshot, out):
        return [self.rival, "-ss_dir", snapshot, *THEIRS[what],
                "-logfilename", out]

    def rows(self, what, snapshot, size):
        """Both formats, and theirs, in turn."""
        out = self.out if self.o.file else None
        mine, his = {form: [] for form in FORMATS}, []
        for _ in range(self.o.rounds):
            for form in FORMATS:
                mine[form].append(run(self.ours(what, form, snapshot, out),
                                      self.folder))
            if self.rival and what in THEIRS:
                his.append(run(self.theirs(what, snapshot, out or os.devnull),
                               self.folder))
        rival = [""] * 3
        if his:
            lines, written = count(self.theirs(what, snapshot, self.out),
                                   self.folder, self.out)
            rival = [speed(size, his), speed(lines, his),
                     f"{written / 1e6:.0f}"]
        for form in FORMATS:
            lines, written = count(self.ours(what, form, snapshot),
                                   self.folder)
            cells = [f"{what}, {form}", speed(size, mine[form]),
                     speed(lines, mine[form]), f"{written / 1e6:.0f}", *rival,
                     f"{ratio(his, mine[form]):.1f}" if his else ""]
            print("| " + " | ".join(cells) + " |", flush=True)
        if os.path.exists(self.out):
            os.remove(self.out)

    def stream(self, number, name):
        snapshot = os.path.join(self.folder, "snapshot")
        made = subprocess.run([self.o.listing, number, snapshot,
                               str(self.o.mb)], check=False)
        if made.returncode != 0:
            return
        size = os.path.getsize(os.path.join(snapshot, "cstrace.bin"))
        print(f"\n| {name} | MB/s | Mlines/s | MB written | OpenCSD MB/s | "
              "Mlines/s | MB written | times |\n|" + " --- |" + " --: |" * 7)
        for what in OURS:
            self.rows(what, snapshot, size)
        shutil.rmtree(snapshot)


def speed(amount, times):
    return f"{amount / 1e6 / max(statistics.median(times), 1e-3):.1f}"


def ratio(his, mine):
    return statistics.median(h / max(m, 1e-3) for h, m in zip(his, mine))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("etm")
    parser.add_argument("listing")
    parser.add_argument("--mb", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--file", action="store_true")
    options = parser.parse_args()
    options.etm = os.path.abspath(options.etm)
    options.listing = os.path.abspath(options.listing)
    if hasattr(os, "sched_setaffinity"):  # the children inherit it
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    names = subprocess.run([options.listing], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    bench = Bench(options)
    if not bench.rival:
        print("trc_pkt_lister is not installed: its columns are empty")
    try:
        for line in names:
            number, name = line.split(" ", 1)
            # theirs does not list the others
            if options.only in name and "data" not in name and \
                    "ETMv1" not in name and "ETMv2" not in name:
                bench.stream(number, name)
    finally:
        shutil.rmtree(bench.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
