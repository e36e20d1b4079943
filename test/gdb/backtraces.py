# SPDX-License-Identifier: Apache-2.0
"""Runs within GDB: go to and fro in a trace, and compare each backtrace with
the stack of `etm calls`, which is held against the emulator's.

    gdb-multiarch -batch -ex 'python ARGS = [ETM, CAPTURE, PLACES, SEED]'
                  -x backtraces.py PROGRAM
"""
import json
import random
import re
import subprocess

import gdb

etm, capture, places, seed = ARGS[0], ARGS[1], int(ARGS[2]), int(ARGS[3])


class Stacks:
    """Before each instruction, as names from the innermost frame on; None in
    place of callers that are not in the trace."""

    def __init__(self):
        lines = subprocess.run([etm, "calls", capture, "--format", "jsonl"],
                               check=True, stdout=subprocess.PIPE,
                               text=True).stdout.splitlines()
        self.events = [json.loads(line) for line in lines]
        self.tasks, self.task, self.next, self.at = {}, 0, 0, -1

    def go(self, n):
        if n < self.at:
            self.tasks, self.task, self.next = {}, 0, 0
        self.at = n
        while self.next < len(self.events) and \
                self.events[self.next]["at"] <= n:
            event = self.events[self.next]
            self.next += 1
            stack = self.tasks.setdefault(event["task"], [])
            if event["k"] == "switch":
                self.task = event["task"]
            elif event["k"] == "enter":
                del stack[event["depth"]:]
                stack.append((event["name"], event["flags"]))
            elif event["k"] == "leave" and "cut" not in event["flags"]:
                del stack[event["depth"]:]
        names = []
        for name, flags in reversed(self.tasks.get(self.task, [])):
            names.append("<signal>" if "exception" in flags else name)
            if "no_caller" in flags:
                names.append(None)
                break
        else:
            names.append(None)
        return names


def backtrace():
    names, frame = [], gdb.newest_frame()
    while frame is not None and len(names) < 200:
        names.append("<signal>" if frame.type() == gdb.SIGTRAMP_FRAME
                     else frame.name())
        try:
            frame = frame.older()
        except gdb.error:
            break
    return names


def callers():
    """What the server itself says."""
    names = []
    for line in gdb.execute("monitor backtrace", to_string=True).splitlines():
        match = re.search(r"<(.*)>", line)
        name = match.group(1) if match else ""
        names.append(re.sub(r"\+\d+$", "", name) if "+" in name
                     else "<signal>")
    return names


def is_cut(seen):
    """GDB does not get beyond a handler whose EXC_RETURN is not known."""
    frame = gdb.newest_frame()
    for _ in seen[1:]:
        frame = frame.older()
    return "unavailable" in str(frame.read_register("lr"))


def is_beyond_gdb(names):
    """Without .debug_frame GDB takes functions to begin as compilers make them,
    and the stack to be restored where an epilogue is not at its end."""
    if {"__aeabi_uidivmod", "PendSV_Handler"} & set(names):
        return True
    insn = gdb.execute("x/i $pc", to_string=True)
    return re.search(r"(pop|ldmfd|ldmia|ldm).*pc}", insn) is not None


for line in ["set pagination off", "set confirm off", "set width 0",
             "set backtrace past-main on", "set remotetimeout 60",
             "target remote | %s gdb %s" % (etm, capture), "monitor goto start",
             "stepi"]:
    gdb.execute(line, to_string=True)
stacks, random_ = Stacks(), random.Random(seed)
total = max(event["at"] for event in stacks.events)
n, deepest, passed, cut, wrong = 0, 0, 0, 0, []
for _ in range(places):
    back = n > total - 60 or (n > 60 and random_.random() < 0.3)
    count = random_.randrange(1, 40)
    for _ in range(count): # one by one: another thread would end several
        gdb.execute("reverse-stepi" if back else "stepi", to_string=True)
    n += -count if back else count
    wanted, seen = stacks.go(n), backtrace()
    listed = callers()
    if None not in wanted[:len(listed)] and listed != wanted[:len(listed)] or \
            len(listed) < wanted.index(None):
        wrong.append((n, hex(gdb.newest_frame().pc()), "monitor", listed,
                      wanted))
    if "main" in wanted: # the programs' tables for unwinding end there
        del wanted[wanted.index("main") + 1:]
        wanted.append(None)
    if is_beyond_gdb(wanted + seen):
        passed += 1
        continue
    known = wanted.index(None)
    deepest = max(deepest, known)
    if wanted[len(seen):len(seen) + 1] == ["<signal>"] and is_cut(seen):
        cut += 1
        del wanted[len(seen):]
        known = len(wanted)
    if seen[:known] != wanted[:known] or len(seen) > known + 1:
        wrong.append((n, hex(gdb.newest_frame().pc()), seen, wanted))
for row in wrong[:5]:
    print("# %r" % (row,))
print("%d wrong, %s cut, %s deep, %s compared" %
      (len(wrong), "few" if cut <= places / 20 else cut, "4 or more" if deepest >= 4 else deepest,
       "enough" if passed < places * 2 / 3 else places - passed))
