#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time and memory are linear in the input: every reader is given every construct
that a file can repeat, a few times and four times as often, and must not take
much more than four times the processor time and memory; and what is limited is
taken up to its limit, and not beyond (doc/reliability.md, "Limits"). Speaks TAP.
Usage: linear.py ETM DEMO [NAME...]"""
import array
import fcntl
import os
import re
import resource
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

etm, demo = (os.path.abspath(path) for path in sys.argv[1:3])
chosen = sys.argv[3:]
scratch = tempfile.TemporaryDirectory()
os.chdir(scratch.name)

# Of four times the input: so many times the time, and what is not measured; so
# many times the memory, and what a process has anyway.
TIMES, SECONDS = 7, 0.25
TIMES_MEMORY, MEGABYTES = 5, 8
LIMIT = 60  # seconds of processor time after which it is not linear anyway


def feed(pipe, data):
    """Byte by byte: the next one when the last one was read."""
    left = array.array("i", [0])
    gone = select.poll()  # tells that nobody reads any more
    gone.register(pipe, 0)
    for i in range(len(data)):
        if gone.poll(0):
            break
        os.write(pipe, data[i:i + 1])
        left[0] = 1
        while left[0] and not gone.poll(0):
            fcntl.ioctl(pipe, termios.FIONREAD, left)
    os.close(pipe)


def run(words):
    """Seconds of processor time, megabytes at most, what was printed, and what
    was said. `words` may be these and what comes through a pipe."""
    words, data = words if isinstance(words, tuple) else (words, b"")
    source, pipe = os.pipe()
    with open("out", "wb") as out, open("err", "wb") as err:
        child = subprocess.Popen(
            [etm] + words, stdin=source, stdout=out, stderr=err,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU,
                                                  (LIMIT, LIMIT)))
        os.close(source)
        feed(pipe, data)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    sizes = [os.path.getsize(name) for name in ("out", "err")]
    return (used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, sizes,
            child.returncode)


def put(name, text):
    if isinstance(text, str):
        text = text.encode()
    with open(name, "wb") as file:
        file.write(text)
    return name


# Files that repeat something

def elf(symbols=(), segments=(), sections=(), code=b"\x00\x00\xa0\xe1" * 16,
        base=0x8000, debug=()):
    """A program: symbols (name, address, size), further segments (address,
    bytes of the code), sections (address), and debug information (name of the
    section, bytes)."""
    names, at = [b"\0"], 1
    table = [bytes(16)]
    for name, address, size in symbols:
        table.append(struct.pack("<IIIBBH", at, address, size, 0x12, 0, 1))
        names.append(name + b"\0")
        at += len(name) + 1
    titles = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    named = []
    for name, _ in debug:
        named.append(len(titles))
        titles += name + b"\0"
    loads = [(base, len(code))] + list(segments)
    begin = 52 + 32 * len(loads)
    blobs = [code, b"".join(table), b"".join(names), titles]
    blobs, offsets = blobs + [blob for _, blob in debug], []
    body = b""
    for blob in blobs:
        offsets.append(begin + len(body))
        body += blob + bytes(-len(blob) % 4)
    rows = [(0,) * 10,
            (1, 1, 6, base, offsets[0], len(code), 0, 0, 4, 0),
            (7, 2, 0, 0, offsets[1], len(blobs[1]), 3, 1, 4, 16),
            (15, 3, 0, 0, offsets[2], len(blobs[2]), 0, 0, 1, 0),
            (23, 3, 0, 0, offsets[3], len(titles), 0, 0, 1, 0)]
    rows += [(at, 1, 0, 0, offset, len(blob), 0, 0, 1, 0)
             for at, offset, (_, blob) in zip(named, offsets[4:], debug)]
    rows += [(1, 1, 6, address, offsets[0], 4, 0, 0, 4, 0)
             for address in sections]
    header = b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH", 2, 40, 1, base, 52, begin + len(body), 0x5000000, 52,
        32, len(loads), 40, len(rows), 4)
    return (header + b"".join(struct.pack("<8I", 1, offsets[0], a, a, n, n, 5, 4)
                              for a, n in loads) +
            body + b"".join(struct.pack("<10I", *row) for row in rows))


NOP = b"\x00\x00\xa0\xe1"

# DWARF 4: a unit, a function, an inlined function, a variable
ABBREVIATIONS = (
    b"\x01\x11\x01\x03\x08\x11\x01\x12\x06\0\0"
    b"\x02\x2e\x01\x03\x08\x11\x01\x12\x06\0\0"
    b"\x03\x1d\x01\x03\x08\x11\x01\x12\x06\0\0"
    b"\x04\x34\0\x03\x08\x02\x18\0\0\0")


def die(tag, low, size, children=b""):
    return bytes([tag]) + b"f\0" + struct.pack("<II", low, size) + children + b"\0"


def dwarf(*units):
    """Debug information of units: (address, size, contents)."""
    info = b""
    for low, size, contents in units:
        body = struct.pack("<HIB", 4, 0, 4) + die(1, low, size, contents)
        info += struct.pack("<I", len(body)) + body
    return [(b".debug_abbrev", ABBREVIATIONS), (b".debug_info", info)]


def walk(n):
    """Trace of n instructions, each with an address of its own."""
    return bytes([0, 0, 0, 0, 0, 0x80, 8, 0, 0x80, 0, 0, 0x21]) + b"\x84" * n


def straight(n):
    """Code of n branches, each to the next one."""
    return b"\xff\xff\xff\xea" * n + struct.pack(
        "<I", 0xea000000 | (-n - 2) & 0xffffff)


def through(n, level, *words, **parts):
    """A command line for a program that goes through n addresses once."""
    put("w.pft", walk(n))
    return [level, "w.pft", "--protocol", "pft", "--framing", "none", "--image",
            put("p.elf", elf(code=straight(n), **parts)), *words]


PFT = bytes([0, 0, 0, 0, 0, 0x80, 8, 0, 0x80, 0, 0, 0x21]) + b"\x84" * 50


def pft(program, *words):
    put("t.pft", PFT)
    return ["decode", "t.pft", "--protocol", "pft", "--framing", "none",
            "--image", put("p.elf", program), *words]


def snapshot(files):
    """A copy of a small one, with these texts after or instead of its files."""
    shutil.rmtree("s", ignore_errors=True)
    shutil.copytree(os.path.join(demo, "cortex-a9"), "s")
    for name, text in files.items():
        with open("s/" + name.lstrip("="),
                  "w" if name.startswith("=") else "a") as file:
            file.write(text)
    return ["info", "s"]


def lines(form, n):
    return "".join(form % (i,) if "%" in form else form for i in range(n))


def vcd(declarations, values=""):
    put("v.vcd", "$timescale 1 ns $end\n" + declarations +
        "$enddefinitions $end\n" + values)
    return ["packets", "v.vcd", "--framing", "port", "--protocol", "etmv1"]


PORT = ("$var wire 3 p PIPESTAT $end\n$var wire 8 d TRACEPKT $end\n"
        "$var wire 1 s TRACESYNC $end\n$var wire 1 c TRACECLK $end\n")


def csv(text):
    put("t.csv", text)
    return ["packets", "t.csv", "--framing", "port", "--protocol", "etmv1"]


PINS = ("PIPESTAT0,PIPESTAT1,PIPESTAT2,TRACESYNC,TRACECLK," +
        ",".join("TRACEPKT%d" % i for i in range(8)))
LOW, HIGH = "0" + ",0" * 12, "1" + ",1" * 12


def explain(text, *words):
    return ["explain", put("setup.txt", text), *words]


def log(text):
    shutil.rmtree("o", ignore_errors=True)
    return ["record", "--execution", put("e.log", text), "--core", "cortex-a9",
            "-o", "o"]


def one_slot(n):
    """Addresses whose upper 24 bits a table by a product of them, as many use,
    would put into few of its slots."""
    inverse = pow(2654435761, -1, 1 << 32)
    out, product = [], 0
    while len(out) < n:  # bits [22:7] of the product are less than 256
        for low in range(32768):
            page = inverse * (product << 23 | low) & 0xffffffff
            if page < 1 << 24 and page > 0x80:
                out.append(page << 8)
        product += 1
    return out[:n]


def tarmac(text):
    shutil.rmtree("o", ignore_errors=True)
    return ["record", "--tarmac", put("t.tarmac", text), "--core", "cortex-a9",
            "-o", "o"]


def records(n):
    rows = []
    for i in range(n):
        row = bytes([4, i >> 5 & 255, (i & 31) << 3, 0, 0, 0xf0, 0x20, 0xe3])
        rows.append(":%s%02X" % (row.hex().upper(), -sum(row) & 255))
    put("t.pft", PFT)
    put("p.hex", "\n".join(rows) + "\n:00000001FF\n")
    return ["info", "t.pft", "--protocol", "pft", "--framing", "none",
            "--image", "p.hex"]


def frames(data):
    put("f.bin", data)
    return ["info", "f.bin", "--framing", "coresight", "--protocol", "pft"]


def each_id(n):
    return b"".join(bytes([(1 + i % 111) << 1 | 1]) + bytes(14) + b"\0"
                    for i in range(n))


# A file of perf (test/input/perf_support.c): mappings of programs, and build IDs.

def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def padded(name):
    return name + bytes(8 - len(name) % 8)


def mapping(address, length, offset, name, pid=5):
    return record(10, struct.pack("<IIQQQI20sII", pid, pid, address, length,
                                  offset, 0x801, bytes(range(20)), 5, 2) +
                  padded(name) + struct.pack("<QQQQ", 7, 0, 0, 7), 2)


def build(name):
    return record(67, struct.pack("<i24s", 5, bytes(24)) + padded(name), 2)


def perf(records):
    attr = struct.pack("<IIQQQ", 8, 120, 0, 1, 2 | 4 | 128 | 65536)
    attr += bytes(136 - len(attr))
    info = record(70, struct.pack("<IIQQQ", 3, 0, 1, 8 << 32 | 1, 0) +
                  struct.pack("<QQQQQQQ", 0x3030303030303030, 0, 4, 0x10001000,
                              0x10, 0x34c01ac2, 0x411cf312))
    trace = record(71, struct.pack("<QQQIIII", 16, 0, 0, 0, 1, 0, 0)) + \
        b"\x21" + b"\x80" * 14 + b"\0"
    data = info + b"".join(records) + trace
    put("perf.data", b"PERFILE2" + struct.pack(
        "<12Q", 104, 136, 104, 136, 240, len(data), 0, 0, 0, 0, 0, 0) + attr +
        data)
    put("prog", elf())
    return ["info", "perf.data", "--sysroot", os.getcwd()]


# Name, how many, and the command line for that many of them.
CASES = [
    ("scopes of a dump, one in the other", 20000, lambda n: vcd(
        lines("$scope module s%d $end\n", n) +
        lines("$var wire 1 ! x%d $end\n", n // 5) + PORT,
        "#0 b0 p 0c\n#1 1c\n")),
    ("scopes of a dump, one after the other", 20000, lambda n: vcd(
        lines("$scope module s%d $end $var wire 1 ! x $end $upscope $end\n", n)
        + PORT, "#0 b0 p 0c\n#1 1c\n")),
    ("variables of a dump", 60000, lambda n: vcd(
        lines("$var wire 1 ! x%d $end\n", n) + PORT, "#0 b0 p 0c\n#1 1c\n")),
    ("a signal of the port in each scope of a dump", 20000, lambda n: vcd(
        lines("$scope module s%d $end\n" + "$var wire 3 p PIPESTAT $end\n", n) +
        PORT, "#0 b0 p 0c\n#1 1c\n")),
    ("wide signals of a dump", 3000, lambda n: vcd(
        lines("$var wire 64 w%d OTHER $end\n", n) + PORT,
        "#0 b0 p 0c\n#1 1c\n")),
    ("a long word of a dump", 16000, lambda n: vcd(
        "$comment " + "x" * n + " $end\n" + PORT, "#0 b0 p 0c\n")),
    ("dumps of one file, one after the other", 3000, lambda n: vcd(
        (PORT + "$enddefinitions $end\n#0 b0 p 0c\n#1 1c\n") * n + PORT)),
    ("columns of a table", 240, lambda n: csv(
        PINS + lines(",x%d", n) + "\n" + LOW + ",0" * n + "\n")),
    ("lines of a table", 30000, lambda n: csv(
        PINS + "\n" + (LOW + "\n" + HIGH + "\n") * n)),
    ("columns of a table with the same name", 240, lambda n: csv(
        PINS + ",other" * n + "\n" + LOW + ",0" * n + "\n")),
    ("a long field of a table", 16000, lambda n: csv(
        PINS + "," + "x" * n + "\n" + LOW + ",0\n")),
    ("devices of a snapshot", 8000, lambda n: snapshot(
        {"snapshot.ini": "\n[device_list]\n" + lines("d%d=cpu_0.ini\n", n)})),
    ("devices of a snapshot that do not exist", 8000, lambda n: snapshot(
        {"snapshot.ini": "\n[device_list]\n" + lines("d%d=no_such.ini\n", n)})),
    ("sections of a snapshot", 20000, lambda n: snapshot(
        {"snapshot.ini": lines("\n[x%d]\na=b\n", n)})),
    ("sections of a device", 20000, lambda n: snapshot(
        {"cpu_0.ini": lines("\n[x%d]\na=b\n", n)})),
    ("keys of a device", 20000, lambda n: snapshot(
        {"cpu_0.ini": "\n[device]\n" + lines("key%d=b\n", n)})),
    ("registers of a core", 20000, lambda n: snapshot(
        {"cpu_0.ini": "\n[regs]\n" + lines("R%d=1\n", n)})),
    ("registers of a trace source", 20000, lambda n: snapshot(
        {"device_1.ini": "\n[regs]\n" + lines("X%d=1\n", n)})),
    ("the same register of a trace source", 20000, lambda n: snapshot(
        {"device_1.ini": "\n[regs]\n" + lines("ETMSYNCFR=%d\n", n)})),
    ("dumps of one program", 8000, lambda n: snapshot(
        {"cpu_0.ini": lines("\n[dump%d]\nfile=sensor.elf\n", n)})),
    ("dumps of one binary", 8000, lambda n: snapshot(
        {"cpu_0.ini": lines("\n[dump%d]\nfile=cstrace.bin\naddress=0x40000000\n"
                            "length=4\n", n)})),
    ("dumps of one binary, upwards", 8000, lambda n: snapshot(
        {"cpu_0.ini": "".join("\n[dump%d]\nfile=cstrace.bin\naddress=%d\n"
                              "length=4\n" % (i, 0x40000000 + 8 * i)
                              for i in range(n))})),
    ("dumps of one binary, downwards", 8000, lambda n: snapshot(
        {"cpu_0.ini": "".join("\n[dump%d]\nfile=cstrace.bin\naddress=%d\n"
                              "length=4\n" % (i, 0x40000000 + 8 * (n - i))
                              for i in range(n))})),
    ("dumps of two binaries in turn", 4000, lambda n: snapshot(
        {"cpu_0.ini": "".join("\n[dump%d]\nfile=%s\naddress=%d\nlength=4\n" % (
            i, ("cstrace.bin", "snapshot.ini")[i & 1], 0x40000000 + 8 * i)
                              for i in range(n))})),
    ("dumps with a context ID each", 8000, lambda n: snapshot(
        {"cpu_0.ini": "".join("\n[dump%d]\nfile=cstrace.bin\nlength=4\n"
                              "address=0x40000000\ncontext_id=%d\n" % (
                                  i, n - i) for i in range(n))})),
    ("dumps of a file that does not exist", 8000, lambda n: snapshot(
        {"cpu_0.ini": lines("\n[dump%d]\nfile=no_such.elf\n", n)})),
    ("dumps of no file", 8000, lambda n: snapshot(
        {"cpu_0.ini": lines("\n[dump%d]\naddress=1\n", n)})),
    ("buffers of one file", 4000, lambda n: snapshot(
        {"=trace.ini": "[trace_buffers]\nbuffers=" +
         ",".join("b%d" % i for i in range(n)) + "\n" +
         lines("[b%d]\nfile=cstrace.bin\nformat=coresight\n", n) +
         "[source_buffers]\nPTM_0=" + ",".join("b%d" % i for i in range(n)) +
         "\n[core_trace_sources]\ncpu_0=PTM_0\n"})),
    ("files of one buffer", 4000, lambda n: snapshot(
        {"=trace.ini": "[trace_buffers]\nbuffers=b\n[b]\nformat=coresight\n"
         "file=cstrace.bin" + ",cstrace.bin" * n + "\n"})),
    ("buffers of no section", 8000, lambda n: snapshot(
        {"=trace.ini": "[trace_buffers]\nbuffers=b" + lines(",b%d", n) +
         "\n[b]\nfile=cstrace.bin\nformat=coresight\n"})),
    ("sections of no buffer", 8000, lambda n: snapshot(
        {"trace.ini": lines("\n[b%d]\nfile=x\n", n)})),
    ("sources of one buffer", 8000, lambda n: snapshot(
        {"trace.ini": "\n[source_buffers]\n" + lines("P%d=ETB_0\n", n)})),
    ("the same source in one buffer", 8000, lambda n: snapshot(
        {"trace.ini": "\n[source_buffers]\n" + lines("PTM_0=ETB_0\n", n)})),
    ("a long value in a snapshot", 200000, lambda n: snapshot(
        {"cpu_0.ini": "\n[regs]\nR1=" + "1" * n + "\n"})),
    ("symbols", 10000, lambda n: pft(elf(
        [(b"s%d" % i, 0x8000 + i % 64, 4) for i in range(n)]))),
    ("symbols at one address", 10000, lambda n: pft(elf(
        [(b"s%d" % i, 0x8000, 4) for i in range(n)]))),
    ("symbols, one in the other", 10000, lambda n: pft(elf(
        [(b"s%d" % i, 0x1000 + i, 0x100000 - 2 * i) for i in range(n)]))),
    ("symbols with one name", 10000, lambda n: pft(elf(
        [(b"s", 0x8000 + i % 64, 4) for i in range(n)]))),
    ("symbols before a long one ends", 10000, lambda n: pft(elf(
        [(b"all", 0x1000, 0x10000)] +
        [(b"s%d" % i, 0x2000 + (i & 0x3fff), 1) for i in range(n)]))),
    ("segments at one address", 10000, lambda n: pft(elf(
        segments=[(0x9000, 64)] * n))),
    ("segments upwards", 10000, lambda n: pft(elf(
        segments=[(0x10000 + 64 * i, 4) for i in range(n)]))),
    ("segments downwards", 10000, lambda n: pft(elf(
        segments=[(0x8000000 - 64 * i, 4) for i in range(n)]))),
    ("segments, one in the other", 10000, lambda n: pft(elf(
        code=bytes(400000), segments=[(0x100000 + i, 400000 - 2 * i)
                                      for i in range(n)]))),
    ("sections", 10000, lambda n: pft(elf(
        sections=[0x20000 + 16 * i for i in range(n)]))),
    ("sections and segments", 3000, lambda n: pft(elf(
        segments=[(0x100000 + 16 * i, 4) for i in range(n)],
        sections=[0x20000 + 16 * i for i in range(n)]))),
    ("a long symbol", 200000, lambda n: pft(elf([(b"A" * n, 0x8000, 64)]))),
    ("symbols in a long one", 12000, lambda n: through(
        n, "decode", symbols=[(b"all", 0x8000, 4 * n)] + [
            (b"s%d" % i, 0x8002 + 4 * i, 1) for i in range(n)])),
    ("long symbols, one in the other", 12000, lambda n: through(
        n, "decode", symbols=[(b"s%d" % i, 0x8000 + i, 8 * n - 2 * i)
                              for i in range(n)])),
    ("symbols of which each has a function", 4000, lambda n: through(
        n, "profile", symbols=[(b"s%d" % i, 0x8000 + 4 * i, 4)
                               for i in range(n)])),
    ("functions in JSON Lines of coverage", 4000, lambda n: through(
        n, "coverage", "--format", "jsonl",
        symbols=[(b"s%d" % i, 0x8000 + 4 * i, 4) for i in range(n)])),
    ("units of debug information", 12000, lambda n: through(
        n, "decode", "--level", "instructions", "--source-lines",
        debug=dwarf((0x8000, 4 * n, b""),
                    *((0x8000 + 4 * i, 1, b"") for i in range(n))))),
    ("inlined functions in a long one", 12000, lambda n: through(
        n, "profile", "--inlined", symbols=[(b"f", 0x8000, 4 * n)],
        debug=dwarf((0x8000, 4 * n, die(3, 0x8000, 4 * n, b"".join(
            die(3, 0x8000 + 4 * i, 1) for i in range(n))))))),
    ("inlined functions, one in the other", 3000, lambda n: through(
        100, "profile", "--inlined", symbols=[(b"f", 0x8000, 400)],
        debug=dwarf((0x8000, 400, (b"\x03f\0" + struct.pack(
            "<II", 0x8000, 400)) * n + b"\0" * n)))),
    ("variables", 5000, lambda n: through(
        10, "variables", debug=dwarf((0x8000, 400, b"".join(
            b"\x04v\0\x05\x03" + struct.pack("<I", 0x1000 + 4 * i)
            for i in range(n)))))),
    ("records", 1500, records),
    ("lines of a setup", 12000, lambda n: explain(
        "ETMIDR = 0x411cf300\n" + lines("ETMSYNCFR = %d\n", n))),
    ("lines of a setup that are wrong", 8000, lambda n: explain(
        "ETMIDR = 0x411cf300\n" + lines("ETMNONE%d = 0x1\n", n))),
    ("variables of a script", 10000, lambda n: explain(
        lines("set base%d 0xe0041000\n", n) + "mww $base1 0xd80\n",
        "--core", "cortex-m3")),
    ("variables of a debugger", 6000, lambda n: explain(
        lines("set $base%d = 0xe0041000\n", n) +
        "set *(unsigned int *)$base1 = 0xd80\n", "--core", "cortex-m3")),
    ("macros of C", 6000, lambda n: explain(
        lines("#define BASE%d 0xe0041000\n", n) +
        "*(volatile uint32_t *)BASE1 = 0xd80;\n", "--core", "cortex-m3")),
    ("macros of C that mean the next", 2000, lambda n: explain(
        "".join("#define B%d B%d\n" % (i, i + 1) for i in range(n)) +
        "#define B%d 0xe0041000\n*(volatile uint32_t *)B0 = 0xd80;\n" % n,
        "--core", "cortex-m3")),
    ("macros of C that mean the next twice", 200, lambda n: explain(
        "".join("#define B%d (B%d + B%d)\n" % (i, i + 1, i + 1)
                for i in range(n)) +
        "#define B%d 0xe0041000\n*(volatile uint32_t *)B0 = 0xd80;\n" % n,
        "--core", "cortex-m3")),
    ("procedures that call the next twice", 60, lambda n: explain(
        "".join("proc p%d {} {\np%d\np%d\n}\n" % (i, i + 1, i + 1)
                for i in range(n)) +
        "proc p%d {} {\nmww 0xe0041000 0xd80\n}\np0\n" % n,
        "--core", "cortex-m3")),
    ("procedures of a script", 5000, lambda n: explain(
        lines("proc p%d {} {\nmww 0xe0041000 0xd80\n}\n", n) + "p1\n",
        "--core", "cortex-m3")),
    ("parentheses of a script", 20000, lambda n: explain(
        "*(volatile uint32_t *)" + "(" * n + "0xe0041000" + ")" * n +
        " = 0xd80;\n", "--core", "cortex-m3")),
    ("blocks of memory that a script writes", 10000, lambda n: explain(
        "".join("mww 0x%x 1\n" % (0x1000 * i) for i in range(n)) +
        "mww 0xe0041000 0xd80\n", "--core", "cortex-m3")),
    ("a long line of a setup", 200000, lambda n: explain(
        "ETMIDR = 0x411cf300 " + "x" * n + "\n")),
    ("lines of memory", 8000, lambda n: explain(
        "0xe0041000: 00000d80 00000000\n" * n, "--core", "cortex-m3")),
    ("lines of an execution log", 4000, lambda n: log(
        "version 1\nplace 00008000\n" +
        "00008000 e1a00000\n00008004 eafffffd\n" * n)),
    ("comments of an execution log", 50000, lambda n: log(
        "version 1\nplace 00008000\n" + "# nothing\n" * n +
        "00008000 e1a00000\n")),
    ("code of an execution log", 300, lambda n: log(
        "version 1\n" + "".join("place %08x\n%08x e1a00000\n" % (
            0x8000 + 0x2000 * i, 0x8000 + 0x2000 * i) for i in range(n)))),
    ("code of an execution log in chosen places", 12000, lambda n: log(
        "version 1\n" + "".join("place %08x\n%08x e1a00000\n" % (at, at)
                                for at in one_slot(n)))),
    ("transfers of an instruction", 5000, lambda n: log(
        "version 1\nplace 00008000\n00008000 e1a00000\n" +
        "data r4:00009000=1\n" * n)),
    ("lines of a Tarmac log", 4000, lambda n: tarmac(
        "".join("%d clk IT (%d) %08x %s A svc : X\n" % (
            i, i, 0x8000 + 4 * (i & 1), ("e1a00000", "eafffffd")[i & 1])
                for i in range(2 * n)))),
    ("lines of a Tarmac log that mean nothing", 20000, lambda n: tarmac(
        "1 clk IT (1) 00008000 e1a00000 A svc : NOP\n" +
        "2 clk what is this\n" * n)),
    ("code of a Tarmac log", 300, lambda n: tarmac(
        "".join("%d clk IT (%d) %08x e1a00000 A svc : NOP\n" % (
            i, i, 0x8000 + 0x2000 * i) for i in range(n)))),
    ("trace IDs of frames", 5000, lambda n: frames(each_id(n))),
    ("frames with damage", 5000, lambda n: frames(
        bytes(range(1, 17)) * n)),
    ("samples as text", 30000, lambda n: [
        "packets", put("p.txt", "0 7 00\n" * n), "--framing", "port",
        "--protocol", "etmv1"]),
    ("a long line of samples", 100000, lambda n: [
        "packets", put("p.txt", "7" * n + "\n"), "--framing", "port",
        "--protocol", "etmv1"]),
    ("mappings of one program", 2000, lambda n: perf(
        mapping(0x8000 + 0x1000 * i, 64, 0, b"/prog") for i in range(n))),
    ("mappings one over the other", 2000, lambda n: perf(
        mapping(0x8000 + i, 0x10000, 0, b"/prog%d" % (i % 2)) for i in range(n))),
    ("mappings of programs that are gone", 4000, lambda n: perf(
        mapping(0x8000 + 0x1000 * i, 64, 0, b"/gone%d" % i) for i in range(n))),
    ("mappings with build IDs", 4000, lambda n: perf(
        [build(b"/gone%d" % i) for i in range(n)] +
        [mapping(0x8000 + 0x1000 * i, 64, 0, b"/gone%d" % i)
         for i in range(n)])),
    ("words of memory as text", 30000, lambda n: [
        "info", put("m.txt", lines("%08x\n", n)), "--framing", "coresight"]),
    ("indices", 20000, lambda n: [
        "merge", put("c.jsonl", "{\"type\":\"x\"}\n" * n)]),
    ("text of a pipe, byte by byte", 15000, lambda n: (
        ["packets", "-", "--protocol", "etmv3", "--framing", "none"],
        b"hello 1234 trace " * (n // 17))),
]


# Those that are beyond a limit, or wrong.
REFUSED = re.compile("devices of|same register|buffers of|files of|setup that "
                     "are wrong|mean the next|parentheses|long line|transfers|"
                     "memory as text|indices|text of a pipe")


def measure(name, n, words):
    small, large = run(words(n)), run(words(4 * n))
    want = 1 if REFUSED.search(name) else 0
    good = (small[3] == want and large[3] == want and
            large[0] <= TIMES * small[0] + SECONDS and
            large[1] <= TIMES_MEMORY * small[1] + MEGABYTES and
            all(b <= TIMES * a + 65536 for a, b in zip(small[2], large[2])))
    for of, used in (n, small), (4 * n, large):
        print("# %d: %.2f s, %d MB, %d + %d bytes, status %d" % (
            of, used[0], used[1], *used[2], used[3]))
    return good


# What is limited, how many there may be, the command line for that many of them,
# and a text that is printed either for these or for one more.
LIMITS = [
    ("devices", 1024, lambda n: snapshot(
        {"snapshot.ini": "\n[device_list]\n" +
         lines("d%d=no_such.ini\n", n - 2)}), "more than 1024 devices"),
    ("buffers", 1024, lambda n: snapshot(
        {"=trace.ini": "[trace_buffers]\nbuffers=b" + lines(",b%d", n - 1)}),
     "more than 1024 buffers"),
    ("buffers of one file", 16, lambda n: snapshot(
        {"=trace.ini": "[trace_buffers]\nbuffers=b" + lines(",b%d", n - 1) +
         "\n[b]\nfile=cstrace.bin\n" +
         lines("[b%d]\nfile=cstrace.bin\n", n - 1)}),
     "trace 16 times already"),
    ("notes of a kind", 16, lambda n: snapshot(
        {"cpu_0.ini": lines("\n[dump%d]\nfile=no_such.elf\n", n)}),
     "1 more like this"),
    ("programs of a processor", 1024, lambda n: snapshot(
        {"cpu_0.ini": "".join(
            "\n[dump%d]\nfile=sensor.elf\ncontext_id=%d\n" % (i, i)
            for i in range(n - 1))}), "at most 1024 programs"),
    ("uses of records", 64, lambda n: records(1) and snapshot(
        {"cpu_0.ini": "".join(
            "\n[dump%d]\nfile=p.hex\ncontext_id=%d\n" % (i, i)
            for i in range(n)), "=p.hex": open("p.hex").read()}),
     "used more than 64 times"),
    ("columns", 1024, lambda n: csv(
        PINS + lines(",x%d", n - 13) + "\n" + LOW + ",0" * (n - 13) + "\n"),
     "too many columns"),
    ("characters of a word", 65536, lambda n: vcd(
        "$comment " + "x" * n + " $end\n" + PORT, "#0 b0 p 0c\n"),
     "a word is too long"),
    ("characters of a line", 65536, lambda n: log(
        "version 1\n#" + "x" * (n - 1) + "\nplace 00008000\n00008000 e1a00000\n"),
     "more than 65536 characters"),
    ("characters of a line of a setup", 511, lambda n: explain(
        "ETMIDR = 0x411cf300\n#" + "x" * (n - 1) + "\n"),
     "longer than 511"),
    ("bytes of a setup", 1 << 20, lambda n: explain(
        "ETMIDR = 0x411cf300\n" + "\n" * (n - 20)), "too large"),
    ("characters of a line of a table", 65536, lambda n: csv(
        PINS + ",x" + "\n" + LOW + "," + " " * (n - len(LOW) - 2) + "0\n"),
     "t.csv:2: a line is too long"),
    ("characters of a line of a Tarmac log", 65536, lambda n: tarmac(
        "1 clk IT (1) 00008000 e1a00000 A svc : " + "x" * (n - 39) + "\n"),
     "no instruction"),
    ("names of a setup", 512, lambda n: explain(
        lines("set base%d 0xe0041000\n", n) + "mww $base%d 0xd80\n" % (n - 1),
        "--core", "cortex-m3"), "programming bit is set"),
    ("blocks of memory of a setup", 64, lambda n: explain(
        "".join("mww 0x%x 1\n" % (0x1000 * i) for i in range(n - 1)) +
        "mww 0xe0041000 0xd80\n", "--core", "cortex-m3"), "programming bit is set"),
    ("segments beside which sections are looked for", 1024,
     lambda n: ["info"] + pft(elf(
         segments=[(0x10000 + 64 * i, 4) for i in range(n - 1)],
         sections=[0x90000]))[1:], "0x00090000"),
]


def in_limit(most, words, text):
    said = []
    for n in most, most + 1:
        run(words(n))
        said.append(open("out").read() + open("err").read())
        print("# %d: %s" % (n, said[-1][-500:].replace("\n", "\n# ")))
    return (text in said[0]) != (text in said[1])


def main():
    number = 0
    for name, n, words in CASES:
        if chosen and not any(word in name for word in chosen):
            continue
        number += 1
        good = measure(name, n, words)
        print("%s %d - %s" % ("ok" if good else "not ok", number, name),
              flush=True)
    for name, *what in LIMITS:
        if not chosen or any(word in name for word in chosen):
            number += 1
            print("%s %d - %s have a limit" % (
                "ok" if in_limit(*what) else "not ok", number, name), flush=True)
    print("1..%d" % number)


main()
