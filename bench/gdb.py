#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `etm gdb` takes, in processor time of the server: to open a capture, for
steps backwards at random places, and to go back to its beginning.

    gdb.py ETM CAPTURE [PLACES [OPTIONS...]]

A step is what GDB asks for then: the step and all registers. The first one at a
place decodes what is around it; the next ones do not.
"""
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "test", "gdb"))
from remote import Remote # noqa: E402


class Meter:
    def __init__(self, server):
        self.folder = "/proc/%d" % server.server.pid

    def milliseconds(self):
        """Of all threads, those that have ended included, to 10 ms; of the first
        one exactly."""
        words = open(self.folder + "/stat").read().rsplit(") ")[1].split()
        run = int(open(self.folder + "/schedstat").read().split()[0]) / 1e6
        return (int(words[11]) + int(words[12])) * 10.0, run

    def memory(self):
        for line in open(self.folder + "/status"):
            if line.startswith(("VmHWM", "RssAnon")):
                yield line.split()[0], int(line.split()[1]) // 1024


def step(server, meter):
    before = meter.milliseconds()[1]
    answer = server.ask("bs")
    server.ask("g")
    server.ask("p1a")
    server.ask("p1b")
    return meter.milliseconds()[1] - before, answer


def say_times(name, times):
    times.sort()
    print("%s: median %.1f ms, 95%% %.1f ms, worst %.1f ms" %
          (name, times[len(times) // 2], times[len(times) * 95 // 100],
           times[-1]))


def main():
    etm, capture = sys.argv[1:3]
    places = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    server = Remote(etm, capture, *sys.argv[4:])
    meter = Meter(server)
    server.ask("?")
    server.ask("g")
    print("open, with the registers at the end: %.0f ms" %
          meter.milliseconds()[0])
    random.seed(1)
    there, first, next_ = [], [], []
    for _ in range(places):
        before = meter.milliseconds()[1]
        server.monitor("goto %.6f%%" % (100 * random.random()))
        server.ask("vCont;s")
        server.ask("g")
        there.append(meter.milliseconds()[1] - before)
        first.append(step(server, meter)[0])
        for _ in range(20):
            next_.append(step(server, meter)[0])
    say_times("go to a place", there)
    say_times("the first step back there", first)
    say_times("the next ones", next_)
    times = []
    server.monitor("goto 70%")
    server.ask("vCont;s")
    for _ in range(2000):
        times.append(step(server, meter)[0])
    say_times("2000 steps back", times)
    server.monitor("gaps pass")
    server.monitor("goto end")
    server.ask("vCont;s")
    before, wall = meter.milliseconds()[0], time.time()
    answer = server.ask("bc")
    print("reverse-continue to the beginning (%s): %.0f ms, %.0f ms elapsed" %
          (answer[-6:], meter.milliseconds()[0] - before,
           1000 * (time.time() - wall)))
    print("memory: " + ", ".join("%s %d MiB" % row for row in meter.memory()))
    server.close()


main()
