#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Walks through captures, forwards and backwards, visit the addresses that
`etm decode` lists. Speaks TAP.

    walks.py ETM DEMO PROGRAMS EMULATOR
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from remote import Remote, Verdicts

etm, demo, programs = (os.path.abspath(path) for path in sys.argv[1:4])
emulator = sys.argv[4] == "true"
shared = os.environ.get("ETM_SHARED", "")
verdict = Verdicts()
scratch = tempfile.TemporaryDirectory()
MOST = 1500 # steps of each walk
GDB_STEPS = 100
gdb = shutil.which("gdb-multiarch")


def decoded(words):
    """The instructions that etm decode lists."""
    lines = subprocess.run([etm, "decode", *words, "--format", "jsonl",
                            "--level", "instructions"], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True).stdout.splitlines()
    rows = (json.loads(line) for line in lines)
    return [int(row["addr"], 16) for row in rows if row["k"] == "insn"]


def walk(server, step, end, most):
    """Addresses up to the end of the trace, or so many."""
    seen = [server.pc()]
    while len(seen) < most:
        answer = server.ask(step)
        if "replaylog:" + end in answer:
            return seen, True
        seen.append(server.pc())
    return seen, False


def check_walks(name, words, *program):
    whole = decoded(words)
    server = Remote(etm, *words)
    seen, ended = walk(server, "bs", "begin", MOST)
    wanted = whole[::-1][:MOST]
    verdict(seen == wanted and ended == (len(whole) < MOST),
            name + ": backwards", (len(whole), len(seen), seen[:5], wanted[:5]))
    server.monitor("goto start")
    server.ask("vCont;s") # arrives there
    seen, ended = walk(server, "vCont;s", "end", MOST)
    wanted = whole[:MOST]
    verdict(seen == wanted and ended == (len(whole) < MOST),
            name + ": forwards", (len(whole), len(seen), seen[:5], wanted[:5]))
    check_breakpoint(name, server, whole)
    server.close()
    check_gdb(name, words, program)


def stops(server, step, end):
    """How often it stops on the way to the end of the trace, and where."""
    seen = []
    while True:
        answer = server.ask(step)
        if "replaylog:" + end in answer:
            return seen
        seen.append(server.pc())


def check_breakpoint(name, server, whole):
    """A breakpoint is hit as often as its address is in the list: at the rarest
    of some addresses, to be quick."""
    some = set(whole[:: max(1, len(whole) // 50)])
    counts = {address: whole.count(address) for address in some}
    rare = min(counts, key=counts.get)
    server.monitor("gaps pass")
    server.monitor("goto start")
    server.ask("vCont;s")
    assert server.ask("Z0,%x,2" % rare) == "OK"
    first = whole[0] == rare
    last = whole[-1] == rare
    seen = stops(server, "vCont;c", "end")
    good = seen == [rare] * (counts[rare] - first)
    verdict(good, name + ": a breakpoint, forwards", (seen[:9], counts[rare]))
    seen = stops(server, "bc", "begin")
    good = seen == [rare] * (counts[rare] - last)
    verdict(good, name + ": the same, backwards", (seen[:9], counts[rare]))


IN_GDB = """
def walk(command):
    gdb.execute("set width 0")
    seen = [int(gdb.parse_and_eval("(unsigned)$pc"))]
    for _ in range(%d):
        gdb.execute(command, to_string=True)
        seen.append(int(gdb.parse_and_eval("(unsigned)$pc")))
    print("walked", seen)
walk("reverse-stepi")
gdb.execute("monitor goto start", to_string=True)
gdb.execute("stepi", to_string=True)
walk("stepi")
""" % GDB_STEPS


def check_gdb(name, words, program):
    """What GDB itself says, at both ends."""
    if not gdb:
        verdict.skip(name + ": in GDB", "gdb-multiarch is not installed")
        return
    script = os.path.join(scratch.name, "walk.py")
    with open(script, "w") as file:
        file.write(IN_GDB)
    target = " ".join(shlex.quote(word) for word in [etm, "gdb", *words])
    run = subprocess.run([gdb, *program, "-nx", "-nh", "-batch", "-ex",
                          "set remotetimeout 60", "-ex",
                          "target remote | " + target, "-x", script],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
    whole = decoded(words)
    back, forth = whole[::-1], whole
    for walk_ in (back, forth): # at an end it stays there
        walk_ += [walk_[-1]] * GDB_STEPS
    wanted = ["walked %s" % walk_[:GDB_STEPS + 1] for walk_ in (back, forth)]
    seen = [line for line in run.stdout.splitlines() if "walked" in line]
    verdict(seen == wanted, name + ": in GDB", run.stdout)


def record(name, *words):
    target = os.path.join(scratch.name, name)
    subprocess.run([etm, "record", *words, "-o", target], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [target]


for core in "cortex-m3", "cortex-a9":
    folder = os.path.join(demo, core)
    check_walks(core, [folder], os.path.join(folder, "sensor.elf"))

# A step that another thread has made has no signal; the one to move may be
# named with the step, or before.
server = Remote(etm, os.path.join(demo, "cortex-m3"))
server.monitor("goto start")
seen = [server.ask(packet) for packet in (
    "vCont;s", "vCont;s:1", "vCont;s:2", "vCont;s", "vCont;s:1;c", "Hc1",
    "vCont;s")]
wanted = ["T%sthread:2;" % signal for signal in ("00", "00", "05", "05", "00")]
verdict(seen == wanted + ["OK", "T00thread:2;"],
        "steps of another thread than the client knows", seen)
server.close()

# Each gap is listed, where many are near each other.
holes = os.path.join(scratch.name, "holes")
shutil.copytree(os.path.join(demo, "cortex-m3"), holes)
with open(os.path.join(holes, "cstrace.bin"), "r+b") as file:
    for at in range(1600, os.fstat(file.fileno()).st_size, 800):
        file.seek(at)
        file.write(bytes(48))
rows = subprocess.run([etm, "decode", holes, "--format", "jsonl"], check=True,
                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                      text=True).stdout.splitlines()
wanted = [row["off"] for row in map(json.loads, rows)
          if row["k"] in ("lost", "trace_on")]
server = Remote(etm, holes)
said = server.monitor("gaps")
server.close()
verdict(len(wanted) > 20 and wanted == [
    int(at) for at in re.findall(r"^offset (\d+): ", said, re.M)],
        "all gaps are listed", said)

# A hundred callers are listed; 119 calls lead to the last instruction.
log = os.path.join(scratch.name, "deep.log")
with open(log, "w") as file:
    file.write("version 1\nplace 8000\n")
    file.writelines("%08x eb000000\n" % at for at in range(0x8000, 0x83c0, 8))
server = Remote(etm, *record("deep", "--execution", log, "--core", "cortex-a9"))
server.monitor("goto start")
steps = -1 # the first one is to the first instruction
for depth in 0, 98, 99, 100, 119:
    while steps < depth:
        server.ask("vCont;s")
        steps += 1
    wanted = ["#%u  0x%08x" % (i, 0x8000 + 8 * depth - (8 * i - 4 if i else 0))
              for i in range(min(depth + 1, 100))]
    seen = server.monitor("backtrace").splitlines()
    verdict(seen == wanted + ["..."] * (depth >= 100),
            "%u calls are listed" % depth, seen)
server.close()

for core, program, more in [
        ("arm7tdmi", "nested-arm7tdmi.elf", []),
        ("arm926ej-s", "nested-arm926.elf", ["--data", "both"]),
        ("cortex-r4", "nested-r4.elf", ["--data", "both"]),
        ("cortex-a9", "tasks-a9.elf", ["--limit", "30000"]),
        ("cortex-m3", "tasks-m3.elf", [])]:
    name = program[:-4]
    if not emulator:
        verdict.skip(name, "built without the emulator")
        continue
    program = os.path.join(programs, program)
    check_walks(name, record(name, program, "--core", core, *more), program)

for name, words in [
        ("tc2, ETMv3", ["tc2", "--source", "0x10"]),
        ("tc2, PFT", ["tc2", "--source", "0x13"]),
        ("stm32f105", ["stm32f105/trace.tpiu", "--framing", "tpiu", "--source",
                       "2", "--core", "cortex-m3", "--image",
                       "stm32f105/trace_example.elf"])]:
    folder = os.path.join(shared, "captures")
    if not shared or not os.path.isdir(os.path.join(folder, "tc2")):
        verdict.skip(name, "the captures are not there (ETM_SHARED)")
        continue
    os.chdir(folder)
    check_walks(name, words, *(word for word in words if ".elf" in word))

verdict.end()
