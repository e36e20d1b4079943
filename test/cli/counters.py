#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The values of variables in what `etm timeline` and `etm report` write.

    counters.py chrome FILE     JSON of Chrome's trace event format
    counters.py perfetto FILE   packets, as protoc shows them
    counters.py ctf FILE        events, as babeltrace2 shows them
    counters.py report FILE     a page

Prints "TIME NAME VALUE TEXT" of each, in the order of the file; TEXT is what
the value stands for, or "-".
"""
import json
import re
import sys


def shown(value):
    return repr(value) if isinstance(value, float) else str(value)


def chrome(text):
    for event in json.loads(text)["traceEvents"]:
        if event["ph"] == "C":
            yield (round(1000 * event["ts"]), event["name"],
                   shown(event["args"]["value"]), "-")


def perfetto(text):
    names = {}
    for packet in re.split(r"^packet \{$", text, flags=re.M):
        fields = dict(re.findall(r"(\w+): \"?([^\"\n]*)\"?$", packet, re.M))
        if "uuid" in fields:
            names[fields["uuid"]] = re.search(r'    name: "(.*)"', packet)[1]
        if fields.get("type") == "TYPE_COUNTER":
            value = fields.get("counter_value",
                               fields.get("double_counter_value"))
            yield (fields["timestamp"], names[fields["track_uuid"]], value,
                   fields.get("string_value", "-"))


def ctf(text):
    for line in text.splitlines():
        found = re.search(r'^\[0*(\d+)\].* value: .*name = "(.*)", '
                          r'value = (.*), text = "(.*)" }$', line)
        if found:
            value = found[3]
            if value.startswith("0x"):
                value = str(int(value, 16))
            yield found[1], found[2], value, found[4]


def report(text):
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
    for source in data["sources"]:
        base = int(source["timeline"]["base"])
        for track in source["timeline"]["tracks"]:
            if track["kind"] != "variable":
                continue
            time, texts, values = base, dict(track["texts"]), track["values"]
            for i in range(0, len(values), 5):
                time += values[i]
                last = values[i + 3]
                name = data["names"][texts[last]] if last in texts else "-"
                yield time, data["names"][track["name"]], shown(last), name


with open(sys.argv[2], encoding="utf-8") as file:
    for row in {"chrome": chrome, "perfetto": perfetto, "ctf": ctf,
                "report": report}[sys.argv[1]](file.read()):
        print(*row)
