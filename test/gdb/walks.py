#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Walks through captures, forwards and backwards, visit the addresses that
`etm decode` lists. Speaks TAP.

    walks.py ETM DEMO PROGRAMS EMULATOR
"""
import json
import os
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


def check_walks(name, words):
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


def record(name, *words):
    target = os.path.join(scratch.name, name)
    subprocess.run([etm, "record", *words, "-o", target], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [target]


check_walks("cortex-m3", [os.path.join(demo, "cortex-m3")])
check_walks("cortex-a9", [os.path.join(demo, "cortex-a9")])

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
    check_walks(name, record(name, os.path.join(programs, program),
                             "--core", core, *more))

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
    check_walks(name, words)

verdict.end()
