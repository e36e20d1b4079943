# SPDX-License-Identifier: Apache-2.0
"""Files of perf with the trace of the demo's Cortex-A9 and the mappings of
processes, for the tests of `etm gdb`."""
import os
import re
import struct


def register(demo, name):
    text = open(os.path.join(demo, "device_1.ini")).read()
    return int(re.search(r"^%s\([^=]*=(\w+)" % name, text, re.M).group(1), 0)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def mapping(address, length, offset, path, pid=5):
    """MMAP2 of code."""
    name = path.encode(errors="surrogateescape") + b"\0"
    name += b"\0" * (-len(name) % 8)
    return record(10, 2, struct.pack("<IIQQQIIQQII", pid, pid, address, length,
                                     offset, 0, 0, 0, 0, 5, 2) + name)


def write(demo, path, mappings):
    """`demo` is the folder of the snapshot."""
    trace = open(os.path.join(demo, "cstrace.bin"), "rb").read()
    info = struct.pack("<II", 3, 0) + struct.pack(
        "<10Q", 1, 1, 0, 0x3030303030303030, 0, 4,
        *(register(demo, name)
          for name in ("ETMCR", "ETMTRACEIDR", "ETMCCER", "ETMIDR")))
    piece = struct.pack("<QQQIIII", len(trace), 0, 0, 0, 0, 0xffffffff, 0)
    records = (b"".join(mappings) + record(70, 0, info) + record(71, 0, piece) +
               trace)
    with open(path, "wb") as file:
        file.write(b"PERFILE2" + struct.pack(
            "<12Q", 104, 144, 104, 144, 248, len(records), 0, 0, 0, 0, 0, 0))
        file.write(struct.pack("<II5Q", 8, 128, 0, 0, 0, 0, 0) + b"\0" * 96)
        file.write(records)


def move(source, target, distance):
    """Write an ELF file as if it were linked at lower addresses, by `distance`.
    What it says of the source is no longer true, and gets another name."""
    data = bytearray(open(source, "rb").read().replace(b".debug_", b".other_"))

    def less(at):
        value, = struct.unpack_from("<I", data, at)
        struct.pack_into("<I", data, at, (value - distance) & 0xffffffff)

    segments, sections = struct.unpack_from("<II", data, 28)
    _, n_segments, _, n_sections = struct.unpack_from("<HHHH", data, 42)
    less(24)
    for i in range(n_segments):
        less(segments + 32 * i + 8)
        less(segments + 32 * i + 12)
    for i in range(n_sections):
        at = sections + 40 * i
        _, kind, flags, _, offset, size = struct.unpack_from("<6I", data, at)
        if flags & 2:
            less(at + 12)
        for symbol in range(0, size if kind == 2 else 0, 16):
            place, = struct.unpack_from("<H", data, offset + symbol + 14)
            if 0 < place < 0xff00:
                less(offset + symbol + 4)
    struct.pack_into("<H", data, 16, 3) # ET_DYN
    open(target, "wb").write(data)
