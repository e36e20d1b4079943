#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packets of an ITM, as sigrok's arm_itm and as etm packets tell them.

    sigrok_itm.py sigrok FILE       the annotations of arm_itm
    sigrok_itm.py etm FILE          `etm packets --format jsonl`
    sigrok_itm.py known FILE OUT    write the bytes of the packets that arm_itm
                                    knows, and print how many there are

The first two print a line for each packet that arm_itm knows, and at the end
the characters of each stimulus port, which it puts together.
"""
import json
import re
import string
import sys

EXCEPTIONS = ["Thread", "Reset", "NMI", "HardFault", "MemManage", "BusFault",
              "UsageFault", "", "", "", "", "SVCall", "DebugMon", "",
              "PendSV", "SysTick"]
DELAYS = {"exact": "synchronous", "timestamp delayed": "timestamp_delayed",
          "event delayed": "event_delayed",
          "event and timestamp delayed": "both_delayed"}
COUNTERS = ["CPI", "Exc", "Sleep", "LSU", "Fold", "Cyc"]
texts = {}
ticks = 0


def add_text(port, text):
    """Blanks are left out: annotations are lines."""
    texts[int(port)] = texts.get(int(port), "") + "".join(text.split())


def exception(number):
    return EXCEPTIONS[number] if number < 16 else f"IRQ {number - 16}"


def from_sigrok(line):
    rules = [
        (r"(\d+): (0x\w+)", lambda port, v: f"port {port} {v}"),
        (r'(\d+): "(.*?)"?', add_text),
        (r"PC: (0x\w+)", lambda a: f"pc {a}"),
        (r"Overflow", lambda: "overflow"),
        (r"Timestamp: (\d+) \((.*)\)", lambda n, how: f"time {n} {DELAYS[how]}"),
        (r"DWT events: (.*)",
         lambda names: f"counters {' '.join(sorted(names.split()))}"),
        (r"(Enter|Exit|Resume): (.*)",
         lambda how, name: f"{how.replace('Resume', 'Return').lower()} {name}"),
        (r"Watchpoint (.): (Read|Write) data (0x\w+)",
         lambda n, how, v: f"data {n} {how.lower()} {v}"),
        (r"Watchpoint (.): PC (0x\w+)", lambda n, a: f"data_pc {n} {a}"),
        (r"Watchpoint (.): address 0x\?\?\?\?(\w+)",
         lambda n, a: f"address {n} 0x{a}"),
    ]
    for rule, make in rules:
        found = re.fullmatch(f"arm_itm-1: {rule}", line)
        if found:
            return make(*found.groups())
    return None


def from_etm(p):
    kind, value = p["packet"], p.get("value")
    if kind == "instrumentation":
        if len(value) == 4 and chr(int(value, 16)) in string.printable:
            return add_text(p["port"], chr(int(value, 16)))
        return f"port {p['port']} {value}"
    if kind == "local_timestamp":
        global ticks
        ticks += p["ts"]
        return f"time {ticks} {p['tc']}"
    if kind == "event_counter":
        bits = int(p["events"], 16)
        names = [n for i, n in enumerate(COUNTERS) if bits >> i & 1]
        return f"counters {' '.join(sorted(names))}"
    if kind == "exception_trace":
        return f"{p['fn']} {exception(p['exception'])}"
    if kind == "data_trace_value":
        how = "write" if p["write"] else "read"
        return f"data {p['comparator']} {how} {value}"
    if kind == "data_trace_pc":
        return f"data_pc {p['comparator']} {p['address']}"
    if kind == "data_trace_address":
        return f"address {p['comparator']} {p['address']}"
    return {"overflow": "overflow", "pc_sample": f"pc {p.get('address')}"}.get(kind)


def is_known(p):
    """Not of arm_itm: global timestamps, pages and other extensions; it ends
    with an error at the sample of a processor that sleeps."""
    return p["packet"] not in ("global_timestamp_1", "global_timestamp_2",
                               "extension", "stimulus_port_page") and \
        not (p["packet"] == "pc_sample" and p["address"] is None)


with open(sys.argv[2], encoding="utf-8") as file:
    if sys.argv[1] == "sigrok":
        rows = [from_sigrok(line.rstrip("\n")) for line in file]
    else:
        packets = [p for p in map(json.loads, file) if is_known(p)]
        rows = [from_etm(p) for p in packets]
if sys.argv[1] == "known":
    with open(sys.argv[3], "wb") as out:
        for p in packets:
            out.write(bytes.fromhex(p["bytes"]))
    print(len(packets))
else:
    print(*[row for row in rows if row], sep="\n")
    for port, text in sorted(texts.items()):
        print("text", port, text)
