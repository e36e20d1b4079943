#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a perf.data tells of mapped files is what GDB has of libraries, and it
reads them through the server. Speaks TAP.

    libraries.py ETM DEMO PROGRAMS EMULATOR
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import perf_file
from remote import Remote, Verdicts

etm, demo = (os.path.abspath(path) for path in sys.argv[1:3])
a9 = os.path.join(demo, "cortex-a9")
verdict = Verdicts()
scratch = tempfile.TemporaryDirectory()
root = os.path.join(scratch.name, "root")
data = os.path.join(scratch.name, "perf.data")
gdb = shutil.which("gdb-multiarch")
elf = os.path.join(a9, "sensor.elf")

# Its segment that is executed: where it is in the file and in memory.
image = open(elf, "rb").read()
segments = [struct.unpack_from("<8I", image, struct.unpack_from(
    "<I", image, 28)[0] + 32 * i)
    for i in range(struct.unpack_from("<H", image, 44)[0])]
_, offset, start, _, size, _, _, _ = next(
    s for s in segments if s[0] == 1 and s[6] & 1)
first = next(s for s in segments if s[0] == 1)[2]
DISTANCE = 0x100000 # of the library from where it was linked

os.makedirs(os.path.join(root, "bin"))
shutil.copy(elf, os.path.join(root, "bin", "sensor"))
perf_file.move(elf, os.path.join(root, "bin", "lib<&>s\u00e9nsor.so"), DISTANCE)


def serve(*mappings):
    perf_file.write(a9, data, mappings)
    return [data, "--sysroot", root]


def in_gdb(words, *lines, program=()):
    command = [gdb, *program, "-nx", "-nh", "-batch", "-ex", "set width 0", "-ex",
               "set remotetimeout 60", "-ex",
               "target remote | %s gdb %s" % (etm, " ".join(words))]
    for line in lines:
        command += ["-ex", line]
    run = subprocess.run(command, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    return run.stdout


def document(server, name):
    text, answer = "", "m"
    while answer.startswith("m"):
        answer = server.ask("qXfer:%s:read::%x,40" % (name, len(text)))
        text += answer[1:]
    return text


words = serve(perf_file.mapping(start, size, offset, "/bin/lib<&>s\u00e9nsor.so"),
              perf_file.mapping(0x10000000, 0x2000, 0x1000, "/lib/m\x01\x9b\udcff\uffffissing.so"),
              perf_file.mapping(start + size + 0x1000, 0x100, offset,
                                "/bin/lib<&>s\u00e9nsor.so", 6))
server = Remote(etm, *words)
verdict("qXfer:libraries:read+" in server.ask("qSupported"),
        "libraries are offered where they are known")
seen = document(server, "libraries")
wanted = ('<library-list>'
          '<library name="/bin/lib&#60;&#38;&#62;s\u00c3\u00a9nsor.so">'
          '<segment address="0x%x"/></library>'
          '<library name="/bin/lib&#60;&#38;&#62;s\u00c3\u00a9nsor.so">'
          '<segment address="0x%x"/></library>'
          '<library name="/lib/m????issing.so">'
          '<segment address="0xffff000"/></library></library-list>' %
          (first, first + size + 0x1000))
verdict(seen == wanted, "each is listed once, with its place, in valid XML",
        (seen, wanted))

path = "/bin/lib<&>s\u00e9nsor.so".encode().hex()
answer = server.ask("vFile:open:%s,0,0" % path)
verdict(answer == "F0", "a file of the list can be opened", answer)
moved = open(os.path.join(root, "bin", "lib<&>s\u00e9nsor.so"), "rb").read()
answer = server.ask("vFile:pread:0,100,34")
verdict(answer.encode("latin-1") == b"F100;" + moved[0x34:0x134],
        "and read", answer)
answer = server.ask("vFile:pread:0,ffffff,%x" % (len(moved) - 3))
verdict(answer.encode("latin-1") == b"F3;" + moved[-3:], "up to its end",
        answer)
answer = server.ask("vFile:fstat:0").encode("latin-1")
verdict(answer[:5] == b"F40;\0" and len(answer) == 68 and
        struct.unpack_from(">Q", answer, 32)[0] == len(moved), "its size",
        answer)
verdict(server.ask("vFile:close:0") == "F0" and
        server.ask("vFile:close:0") == "F-1,9", "and closed, once")
for name, text in [("another file", b"/etc/passwd"),
                   ("a path to another file", b"/bin/../bin/sensor"),
                   ("a file that is missing here", b"/lib/missing.so"),
                   ("a text with a 0", b"/bin/lib<&>s\u00e9nsor.so\0x")]:
    answer = server.ask("vFile:open:%s,0,0" % text.hex())
    verdict(answer == "F-1,2", "not " + name, answer)
wrong = ["open:%s,1,0" % path, "open:zz,0,0", "open:", "pread:0,1,0",
         "pread:99,1,1", "fstat:ffffffffffff", "close:x"]
answers = [server.ask("vFile:" + text) for text in wrong]
verdict(all(answer.startswith("F-1,") for answer in answers),
        "what is wrong fails", answers)
answers = [server.ask("vFile:open:%s,0,0" % path) for _ in range(40)]
verdict(answers[:16] == ["F%x" % i for i in range(16)] and
        answers[16:] == ["F-1,18"] * 24, "not without end", answers)
answers = [server.ask("vFile:" + text)
           for text in ("pread:0,zz,0", "pread:0,1", "pread:0,1,ffffffffff")]
verdict(answers == ["F-1,16"] * 3, "places that are none", answers)
server.close()

server = Remote(etm, a9)
verdict("libraries" not in server.ask("qSupported") and
        server.ask("qXfer:libraries:read::0,100") == "" and
        server.ask("vFile:open:%s,0,0" % path) == "",
        "without mappings there are none")
server.close()

library = perf_file.mapping(start, size, offset, "/bin/lib<&>s\u00e9nsor.so")
program = perf_file.mapping(0x10000000, size, offset, "/bin/moved")
perf_file.move(elf, os.path.join(root, "bin", "moved"), start - 0x10000000)
server = Remote(etm, *serve(program, library))
supported = server.ask("qSupported")
verdict("qXfer:exec-file:read+" in supported and
        document(server, "exec-file") == "/bin/moved" and
        server.ask("qXfer:exec-file:read:1:0,100") == "l/bin/moved",
        "the first file of a process is its program", supported)
verdict(server.ask("qOffsets") == "TextSeg=10000000",
        "with the place of its first segment", server.ask("qOffsets"))
seen = document(server, "libraries")
verdict(seen.count("<library ") == 1 and "nsor.so" in seen,
        "the others are libraries", seen)
server.close()
server = Remote(etm, *serve(program, library, perf_file.mapping(
    0x20000000, size, offset, "/bin/sensor", 6)))
verdict("exec-file" not in server.ask("qSupported") and
        server.ask("qOffsets") == "", "of two programs none is told")
server.close()

if gdb:
    seen = in_gdb(serve(program, library), "info sharedlibrary",
                  "info symbol $pc", "break ring_get", "reverse-continue", "bt",
                  "info symbol 0x%x" % (0x10000000 + 0x250))
    verdict(re.search(r"^0x%08x +0x[0-9a-f]{8} +Yes.*/bin/lib<&>s\u00e9nsor.so$" %
                      start, seen, re.M) is not None,
            "GDB lists the library", seen)
    verdict(re.search(r"Breakpoint 1\.\d, 0x[0-9a-f]+ in ring_get \(\)[^\n]*\n"
                      r"#0 .* ring_get \(\)[^\n]*\n#1 .* in report_step \(\)",
                      seen) is not None and
            "main + 118 in section .text of target:/bin/lib<&>" in seen,
            "its names are those of what ran", seen)
    verdict("main + 114 in section .text" in seen.splitlines()[-2],
            "the program is where it was loaded", seen)
    seen = in_gdb(serve(perf_file.mapping(start, size, offset, "/bin/sensor")),
                  "bt")
    verdict("main () at board.c:108" in seen and "error" not in seen.lower(),
            "a program that was not moved", seen)
    words = serve(perf_file.mapping(start, size, offset, "/bin/moved"))
    seen = in_gdb(words, "info symbol $pc",
                  program=[os.path.join(root, "bin", "moved")])
    verdict("main + 118 in section .text" in seen,
            "a program that the user names is moved, too", seen)
else:
    for name in ["GDB lists the library", "its names are those of what ran",
                 "the program is where it was loaded",
                 "a program that was not moved",
                 "a program that the user names is moved, too"]:
        verdict.skip(name, "gdb-multiarch is not installed")

verdict.end()
