#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The `bytes` of `etm packets`, joined, are the stream of the source: what
`etm split` writes, and of a file without frames the file itself, but for what a
formatter in bypass has appended, of which standard error says how much (E-334).
Speaks TAP. Usage: lossless.py ETM DEMO; captures of chips are found
below ETM_SHARED."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ETM, DEMO = (os.path.abspath(a) for a in sys.argv[1:3])
TAIL = re.compile(r"01 and zeros at its end, (\d+) bytes?, are no trace")
number = 0


def verdict(good, name):
    global number
    number += 1
    print("%sok %d - %s" % ("" if good else "not ", number, name), flush=True)


def run(*arguments):
    return subprocess.run((ETM,) + arguments, capture_output=True, text=True,
                          check=False)


def packets(capture, *options):
    """The joined bytes of each source; None if not consecutive or refused."""
    done = run("packets", capture, "--format", "jsonl", *options)
    streams = {}
    for line in done.stdout.splitlines():
        packet = json.loads(line)
        if "packet" in packet:
            streams.setdefault(packet["src"], bytearray()).extend(
                bytes.fromhex(packet["bytes"]))
    return streams, done


def same_as_split(capture, *options):
    """Are there packets, and the streams of `etm split`?"""
    streams, _ = packets(capture, *options)
    with tempfile.TemporaryDirectory() as folder:
        out = run("split", capture, "-o", folder, "--format", "jsonl", *options)
        split = {}
        for line in out.stdout.splitlines():
            stream = json.loads(line)
            if stream["k"] == "stream":
                with open(stream["file"], "rb") as file:
                    split[stream["src"]] = file.read()
    return any(streams.values()) and all(
        split.get(src) == bytes(joined) for src, joined in streams.items())


def same_as_file(name, stream, *options):
    """A file without frames, also with the end that a formatter gives it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stream.bin")
        for end in (b"", b"\1", b"\1\0\0\0\0", b"\1" + bytes(7)):
            data = stream + end
            with open(path, "wb") as file:
                file.write(data)
            streams, done = packets(path, "--framing", "none", *options)
            told = TAIL.search(done.stderr)
            n = int(told.group(1)) if told else 0
            joined = bytes(streams.get(0, b""))
            tail = b"\1" + bytes(n - 1) if n else b""
            if joined + tail != data or (n and len(data) % 4):
                return verdict(False, name)
            decoded = run("decode", path, "--framing", "none", *options).stderr
            if bool(TAIL.search(decoded)) != bool(n):
                return verdict(False, name)
    return verdict(True, name)


STREAM = bytes.fromhex("000000000080080080000021")
for protocol in ("etmv3", "pft"):
    options = ("--protocol", protocol)
    for atoms in range(4):
        same_as_file("the_file_comes_back: %s, %d" % (protocol, atoms),
                     STREAM + b"\x84" * atoms, *options)
    with tempfile.TemporaryDirectory() as scratch:
        stop = os.path.join(scratch, "stop.bin")
        with open(stop, "wb") as whole:
            whole.write(STREAM + b"\x84\1" + bytes(6))
        for view in ("packets", "decode"):
            found = TAIL.search(run(view, stop, "--protocol", protocol).stderr)
            verdict(found and found.group(1) == "7",
                    "%s_says_what_is_left_out: %s" % (view, protocol))

captures = [os.path.join(DEMO, core) for core in ("cortex-a9", "cortex-m3")]
shared = os.path.join(os.environ.get("ETM_SHARED", ""), "captures")
found = sorted({os.path.dirname(ini) for ini in glob.glob(
    os.path.join(shared, "**", "snapshot.ini"), recursive=True)})
for capture in captures + found:
    verdict(same_as_split(capture),
            "packets_are_the_stream: " + os.path.basename(capture))
if not found:
    verdict(True, "packets_are_the_stream: chips # SKIP no captures below ETM_SHARED")
print("1..%d" % number)
