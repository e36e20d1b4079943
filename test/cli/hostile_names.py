#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names from files and paths reach a terminal without control characters and
without those that change the direction of writing, and long ones are cut: in
all commands and formats that are text. Speaks TAP.
Usage: hostile_names.py ETM DEMO"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "gdb"))
from remote import Remote  # noqa: E402

etm, demo = (os.path.abspath(path) for path in sys.argv[1:3])
scratch = tempfile.TemporaryDirectory()
os.chdir(scratch.name)
number = 0

EVIL = "e\x1b]0;x\x07\x9b\u202eda\u2066b\u200fc\u061c\x7f\r"
# Bytes that no text has: control characters but for line ends and tabs, their
# forms of two bytes, and marks of direction.
BAD = re.compile(b"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|"
                 b"\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c")


def verdict(good, name, seen=b""):
    global number
    number += 1
    if not good:
        for line in seen[-600:].splitlines() or [b""]:
            print("# %r" % line[-300:])
    print("%s %d - %s" % ("ok" if good else "not ok", number, name), flush=True)


def run(*words):
    done = subprocess.run([etm, *words], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    return done.stdout, done.stderr, done.returncode


def elf(names):
    """Functions of 16 bytes, each of which jumps to the next one."""
    code = b"".join(b"\x00\x00\xa0\xe1" * 3 + struct.pack(
        "<I", 0xea000000 | (-1 if i + 1 < len(names) else -4 * i - 5) &
        0xffffff) for i in range(len(names)))
    strings, table, at = b"\0", [bytes(16)], 1
    for i, name in enumerate(names):
        table.append(struct.pack("<IIIBBH", len(strings), 0x8000 + 16 * i, 16,
                                 0x12, 0, 1))
        strings += name + b"\0"
    blobs = [code, b"".join(table), strings,
             b"\0.text\0.symtab\0.strtab\0.shstrtab\0"]
    body, offsets = b"", []
    for blob in blobs:
        offsets.append(84 + len(body))
        body += blob + bytes(-len(blob) % 4)
    rows = [(0,) * 10,
            (1, 1, 6, 0x8000, offsets[0], len(code), 0, 0, 4, 0),
            (7, 2, 0, 0, offsets[1], len(blobs[1]), 3, 1, 4, 16),
            (15, 3, 0, 0, offsets[2], len(strings), 0, 0, 1, 0),
            (23, 3, 0, 0, offsets[3], len(blobs[3]), 0, 0, 1, 0)]
    return (b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, 40, 1, 0x8000, 52, 84 + len(body), 0x5000000, 52,
        32, 1, 40, 5, 4) + struct.pack("<8I", 1, offsets[0], 0x8000, 0x8000,
                                       len(code), len(code), 5, 4) + body +
            b"".join(struct.pack("<10I", *row) for row in rows))


def write(name, contents):
    with open(name, "wb") as file:
        file.write(contents if isinstance(contents, bytes)
                   else contents.encode("utf-8", "surrogateescape"))


VIEWS = [["decode"], ["decode", "--level", "instructions"],
         ["decode", "--format", "jsonl"], ["decode", "--stats"], ["profile"],
         ["profile", "--format", "folded"], ["profile", "--format", "jsonl"],
         ["profile", "--format", "callgrind"],
         ["profile", "--format", "speedscope"], ["calls"],
         ["calls", "--format", "jsonl"], ["calls", "--summary"],
         ["coverage"], ["coverage", "--format", "jsonl"],
         ["timeline", "--format", "chrome", "-o", "-"], ["exceptions"],
         ["info"], ["info", "--format", "jsonl"], ["packets"], ["index"],
         ["variables"], ["report", "-o", "-"], ["split", "-o", "streams"]]

PFT = bytes([0, 0, 0, 0, 0, 0x80, 8, 0, 0x80, 0, 0, 0x21]) + b"\x84" * 20
RAW = ["--protocol", "pft", "--framing", "none", "--image"]


def each_view(what, words):
    for view in VIEWS:
        shutil.rmtree("streams", ignore_errors=True)
        out, err, status = run(*view, *words)
        verdict(not BAD.search(out) and not BAD.search(err) and status < 2,
                "%s in %s" % (what, " ".join(view)), out[-300:] + err)


# Symbols
write("evil.elf", elf([EVIL.encode(), EVIL.encode("latin-1", "ignore")]))
write("t.pft", PFT)
each_view("symbols", ["t.pft", *RAW, "evil.elf"])

# The debugger gives what is said to a terminal as it is.
server = Remote(etm, "t.pft", *RAW, "evil.elf")
said = server.monitor("where") + server.monitor("profile")
verdict("e?]0;x?" in said and not BAD.search(said.encode()),
        "symbols in what etm gdb says", said.encode())
server.server.kill()

# Paths
name = EVIL + ".pft"
write(name, PFT)
shutil.copy("evil.elf", EVIL + ".elf")
each_view("paths", [name, *RAW, EVIL + ".elf"])
each_view("paths that do not exist", [EVIL, *RAW, EVIL + "no.elf"])

# Snapshots: names of devices, buffers, files and keys
shutil.copytree(os.path.join(demo, "cortex-a9"), "s")
for ini in os.listdir("s"):
    if ini.endswith(".ini"):
        with open("s/" + ini, encoding="utf-8") as file:
            text = file.read()
        # none of a line ends there
        evil = EVIL.replace("\r", "")
        for word in "PTM_0", "cpu_0", "ETB_0":
            text = text.replace(word + "\n", evil + word + "\n").replace(
                word + "=", evil + word + "=")
        text += "\n[%s]\n%s=%s\n[dump%s]\nfile=%s\n" % ((evil,) * 5)
        write("s/" + ini, text)
each_view("snapshots", ["s"])

# Options and words of all commands
for words in (["decode", "t.pft", "--" + EVIL], [EVIL], ["help", EVIL],
              ["decode", "t.pft", "--reg", EVIL + "=1"],
              ["decode", "t.pft", "--format", EVIL],
              ["decode", "t.pft", "--protocol", EVIL],
              ["decode", "s", "--source", EVIL],
              ["decode", "t.pft", "--core", EVIL],
              ["decode", "t.pft", "--from", EVIL],
              ["decode", "t.pft", "--index", EVIL],
              ["profile", "t.pft", *RAW, "evil.elf", "--function", EVIL],
              ["decode", "t.pft", *RAW, "evil.elf", "-o", EVIL + "/x"],
              ["configure", "--core", EVIL], ["merge", EVIL],
              ["configure", "--core", "cortex-a9", "--elf", "evil.elf",
               "--trace-function", EVIL + "no"],
              ["explain", EVIL], ["record", EVIL, "-o", "r"],
              ["record", "--tarmac", EVIL, "-o", "r"],
              ["gdb", "t.pft", *RAW, EVIL]):
    out, err, status = run(*words)
    verdict(not BAD.search(out) and not BAD.search(err) and status != 0,
            "message of %r" % " ".join(words), err)
for text, how in ((EVIL + " = 1\n", ["explain"]),
                  ("mww $" + EVIL + " 1\n", ["explain"]),
                  ("version 1\n" + EVIL + "\n",
                   ["record", "-o", "r", "--execution"]),
                  ("1 clk IT (1) 8000 e1a00000 A svc : " + EVIL + "\n" + EVIL,
                   ["record", "-o", "r", "--tarmac"])):
    write("text", text)
    out, err, status = run(*how, "text")
    verdict(not BAD.search(out) and not BAD.search(err),
            "text for %s" % how[0], out + err)

# Long names: cut, and still different
names = [b"A" * 100000 + b"1", b"A" * 100000 + b"2"]
write("long.elf", elf(names))
for view in VIEWS:
    shutil.rmtree("streams", ignore_errors=True)
    out, err, status = run(*view, "t.pft", *RAW, "long.elf")
    verdict(not re.search(b"A{1001}", out + err) and status < 2 and
            len(set(re.findall("A{900,}…([0-9a-f]{8})".encode(), out))) < 3,
            "long names in %s" % " ".join(view), out[-300:] + err)
out, _, _ = run("profile", "t.pft", *RAW, "long.elf", "--format", "folded")
verdict(len(out.splitlines()) == 2 and b"\xe2\x80\xa6" in out,
        "names that are cut are two functions", out)
print("1..%d" % number)
