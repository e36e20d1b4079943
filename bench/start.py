#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the command starts with a large program: a capture of 1 MB, and an
ELF file with 100 MB of code, 300,000 symbols and the lines of 20,000 files.

    start.py ETM LISTING [--mb N] [--rounds N]

ETM is the command and LISTING the program beside this one, which makes the
snapshot. Prints the medians of wall-clock time, of processor time and of the
memory that was in use at most, of which the pages of the file that were read
are a part.
"""
import argparse
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

SYMBOLS = 300000
UNITS = 20000
LINES = 250  # of each unit
STRINGS = b"\0.text\0.symtab\0.strtab\0.shstrtab\0.debug_info\0" \
          b".debug_abbrev\0.debug_line\0"


def symbol_tables(base, size):
    names, table = bytearray(b"\0"), bytearray(16)
    step = size // SYMBOLS & ~3
    for i in range(SYMBOLS):
        # a function, global, in section 1
        table += struct.pack("<IIIBBH", len(names), base + i * step, step,
                             0x12, 0, 1)
        names += b"a_function_of_the_program_%d\0" % (i * 7919 % SYMBOLS)
    return bytes(table), bytes(names)


def debug_sections(base, size):
    """DWARF 2: a unit for each source file, with a line for each few bytes."""
    # DW_TAG_compile_unit: DW_AT_name, low_pc, high_pc, stmt_list
    abbrev = bytes([1, 0x11, 0, 3, 8, 0x11, 1, 0x12, 1, 0x10, 6, 0, 0, 0])
    info, lines = bytearray(), bytearray()
    step = size // UNITS & ~3
    advance = step // LINES & ~3
    for i in range(UNITS):
        low, name = base + i * step, b"file_%d.c\0" % i
        entry = bytes([1]) + name + struct.pack("<III", low, low + step,
                                                len(lines))
        info += struct.pack("<IHIB", len(entry) + 7, 2, 0, 4) + entry
        head = bytes([1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1])
        head += b"\0" + name + b"\0\0\0\0"
        program = bytes([0, 5, 2]) + struct.pack("<I", low)
        # DW_LNS_advance_pc, DW_LNS_advance_line, DW_LNS_copy
        if advance < 128:
            program += bytes([2, advance, 3, 1, 1]) * LINES
        program += bytes([2]) + uleb(step - advance * LINES) + bytes([0, 1, 1])
        body = struct.pack("<HI", 2, len(head)) + head + program
        lines += struct.pack("<I", len(body)) + body
    return bytes(info), abbrev, bytes(lines)


def uleb(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def write_elf(path, code, base, size):
    """The code, and after it functions that return at once."""
    symtab, strtab = symbol_tables(base, size)
    info, abbrev, lines = debug_sections(base, size)
    text = code + bytes.fromhex("1eff2fe1") * ((size - len(code)) // 4)
    # name, type, flags, address, content, link, info, align, entry size
    sections = [(".text", 1, 6, base, text, 0, 0, 4, 0),
                (".symtab", 2, 0, 0, symtab, 3, 1, 4, 16),
                (".strtab", 3, 0, 0, strtab, 0, 0, 1, 0),
                (".shstrtab", 3, 0, 0, STRINGS, 0, 0, 1, 0),
                (".debug_info", 1, 0, 0, info, 0, 0, 1, 0),
                (".debug_abbrev", 1, 0, 0, abbrev, 0, 0, 1, 0),
                (".debug_line", 1, 0, 0, lines, 0, 0, 1, 0)]
    headers = bytearray(40)
    with open(path, "wb") as f:
        f.seek(0x1000)
        for name, kind, flags, address, content, *rest in sections:
            f.seek(-f.tell() % 4, os.SEEK_CUR)
            link, note, align, entry = rest
            headers += struct.pack(
                "<10I", STRINGS.index(name.encode() + b"\0"), kind, flags,
                address, f.tell(), len(content), link, note, align, entry)
            f.write(content)
        f.seek(-f.tell() % 4, os.SEEK_CUR)
        at = f.tell()
        f.write(headers)
        f.seek(0)
        f.write(b"\x7fELF\1\1\1" + bytes(9) +
                struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, base, 52, at,
                            0x5000000, 52, 32, 1, 40, len(sections) + 1, 4))
        f.write(struct.pack("<8I", 1, 0x1000, base, base, len(text),
                            len(text), 5, 0x1000))


def run(command):
    """Seconds on the wall and of the processor, and megabytes."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return (time.perf_counter() - begin, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1e3)


def make_elf(path, code, size):
    """In a process of its own: what this one has in use counts for those that
    it starts."""
    child = os.fork()
    if child == 0:
        with open(code, "rb") as f:
            write_elf(path, f.read(), 0xc0008000, size)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("etm")
    parser.add_argument("listing")
    parser.add_argument("--mb", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=7)
    o = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="etm-start-") as folder:
        snapshot = os.path.join(folder, "snapshot")
        elf = os.path.join(folder, "large.elf")
        made = subprocess.run([o.listing, "0", snapshot, "1"], check=False)
        if made.returncode != 0:
            return 0
        if not make_elf(elf, os.path.join(snapshot, "code.bin"),
                        o.mb * 1000000):
            return 1
        decode = [o.etm, "decode", snapshot, "--jobs", "1", "--image", elf]
        rows = [("no decoding: etm --version", [o.etm, "--version"]),
                ("ranges, without the ELF file", decode[:-2]),
                ("ranges, jsonl", decode + ["--format", "jsonl"]),
                ("ranges, text with symbols", decode),
                ("instructions, text with symbols",
                 decode + ["--level", "instructions"]),
                ("instructions with source lines",
                 decode + ["--source-lines"])]
        print(f"ELF file of {os.path.getsize(elf) / 1e6:.0f} MB")
        print("| 1 MB of TC2 0x13 | ms | ms of the processor | MB in use |\n"
              "| --- | --: | --: | --: |")
        for name, command in rows:
            results = [run(command) for _ in range(o.rounds)]
            wall, used, memory = (statistics.median(column)
                                  for column in zip(*results))
            print(f"| {name} | {wall * 1e3:.0f} | {used * 1e3:.0f} | "
                  f"{memory:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
