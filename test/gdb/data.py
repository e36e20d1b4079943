#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory and watchpoints where data are traced: memory has what the last
transfer moved, and a watchpoint finds the last writer. And values that are known
without data. Speaks TAP.

    data.py ETM DEMO PROGRAMS EMULATOR
"""
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from remote import Remote, Verdicts

etm, demo, programs = (os.path.abspath(path) for path in sys.argv[1:4])
emulator = sys.argv[4] == "true"
verdict = Verdicts()
scratch = tempfile.TemporaryDirectory()


class Trace:
    """What etm decode lists, with the memory that it implies."""

    def __init__(self, capture):
        lines = subprocess.run(
            [etm, "decode", capture, "--format", "jsonl", "--level",
             "instructions"], check=True, stdout=subprocess.PIPE,
            text=True).stdout.splitlines()
        self.insns, self.data = [], [] # data: (insns before it, element)
        for line in lines:
            row = json.loads(line)
            if row["k"] == "insn":
                self.insns.append(int(row["addr"], 16))
            elif row["k"] == "data" and row["addr"] and row["value"]:
                self.data.append((len(self.insns), int(row["addr"], 16),
                                  row["size"], int(row["value"], 16),
                                  row["store"]))

    def word(self, n, address):
        """The word in memory before instruction n, if all of it is known."""
        found = {}
        for before, at, size, value, _ in reversed(self.data):
            if before > n:
                continue
            for i in range(size):
                if 0 <= at + i - address < 4:
                    found.setdefault(at + i - address, value >> 8 * i & 255)
            if len(found) == 4:
                return sum(found[i] << 8 * i for i in range(4))
        return None


def is_code(trace, address):
    return min(trace.insns) <= address <= max(trace.insns) + 0x1000


def check(name, *words):
    if not emulator:
        for _ in range(4):
            verdict.skip(name, "built without the emulator")
        return
    target = os.path.join(scratch.name, name)
    subprocess.run([etm, "record", *words, "-o", target], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    trace = Trace(target)
    server = Remote(etm, target)

    # from the end backwards, in strides
    n, wrong, known = len(trace.insns) - 1, [], 0
    addresses = sorted({at & ~3 for _, at, _, _, _ in trace.data
                        if not is_code(trace, at)})
    random.seed(7)
    while n > 1000 and len(wrong) < 9:
        back = random.randrange(1, n // 20 + 2)
        for _ in range(back):
            server.ask("bs")
        n -= back
        if server.pc() != trace.insns[n]:
            wrong.append(("pc", n))
        for address in random.sample(addresses, min(5, len(addresses))):
            seen, wanted = server.word(address), trace.word(n, address)
            known += wanted is not None
            if seen != wanted:
                wrong.append((n, hex(address), seen, wanted))
    verdict(not wrong and known > 20, name + ": memory is as traced",
            (wrong, known))

    # the variable that is written most often, but not too often
    writes = collections.Counter(at for _, at, size, _, store in trace.data
                                 if store and size == 4 and
                                 not is_code(trace, at))
    some = [at for at, n in writes.items() if 2 <= n <= 60]
    address = max(some, key=writes.get)
    wanted = [trace.insns[before - 1] for before, at, size, _, store
              in trace.data if store and at <= address + 3 and
              address < at + size]
    server.monitor("goto end")
    server.ask("bs" if server.pc() != trace.insns[-1] else "vCont;s")
    assert server.ask("Z2,%x,4" % address) == "OK"
    seen, answers = [], []
    while True:
        answer = server.ask("bc")
        if "replaylog:begin" in answer:
            break
        answers.append(answer)
        seen.append(server.pc())
    verdict(seen == wanted[::-1],
            name + ": a watchpoint finds all writers, the last one first",
            (hex(address), seen, wanted[::-1]))
    verdict(all("watch:%x;" % address in a for a in answers),
            name + ": and says which it was", answers[:3])
    seen = []
    while True:
        answer = server.ask("vCont;c")
        if "replaylog:end" in answer:
            break
        seen.append(answer)
    verdict(len(seen) == len(wanted), name + ": forwards as many",
            (len(seen), len(wanted)))
    server.close()


check("v3", os.path.join(programs, "recurse-a9.elf"), "--core", "cortex-a9",
      "--etm", "v3.5", "--data", "both")
check("v2", os.path.join(programs, "recurse-arm926.elf"), "--core",
      "arm926ej-s", "--data", "both")
check("v1", os.path.join(programs, "nested-arm7tdmi.elf"), "--core",
      "arm7tdmi", "--data", "both")

server = Remote(etm, os.path.join(demo, "cortex-m3"))
verdict(server.ask("Z2,20000000,4") == "",
        "without data there are no watchpoints")
verdict(server.ask("m20000000,4") == "E01",
        "without data the variables of a program are not known")

# ring_get() has returned false. GDB would take an unknown R1 for 0: the upper
# half of a value of 64 bits.
server.monitor("goto start")
server.ask("vCont;s")
server.ask("Z0,b6,2")
server.ask("vCont;c")
seen = [server.ask(packet) for packet in ("p1a", "p1b", "p1b")]
verdict(seen == ["00000000", "E.the trace does not tell the value",
                 "xxxxxxxx"],
        "what a function returned is known, or its value an error", seen)
server.close()

# EXC_RETURN also tells whether the FPU was in use: of cores that have none, and
# of programs that do not use it. VMOV in place of code that did not run.
fpu = os.path.join(scratch.name, "fpu")


def change(name, old, new):
    with open(os.path.join(fpu, name), "r+b") as file:
        data = file.read()
        assert data.count(old) == 1
        file.seek(0)
        file.truncate()
        file.write(data.replace(old, new))


def check_link(old, core, known):
    change("cpu_0.ini", b"type=" + old, b"type=" + core)
    server = Remote(etm, fpu)
    server.monitor("goto start")
    server.ask("Z0,164,2") # PendSV_Handler(), from a task
    server.ask("vCont;c")
    seen = server.ask("pe")
    server.close()
    verdict(seen == ("fdffffff" if known else "xxxxxxxx"),
            "EXC_RETURN on %s" % (core.decode() or "any core"), seen)
    return core


shutil.copytree(os.path.join(demo, "cortex-m3"), fpu)
core = check_link(b"Cortex-M3", b"Cortex-M4", True)
change("sensor.elf", b"\xab\xbe\xfe\xe7", b"\x00\xee\x10\x0a")
for other in b"Cortex-M4", b"Cortex-M33", b"":
    core = check_link(core, other, False)
for other in b"Cortex-M0", b"cortex-m0+", b"Cortex-M1", b"Cortex-M3", b"Cortex-M23":
    core = check_link(core, other, True)

verdict.end()
