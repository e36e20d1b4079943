#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the inputs that the fuzz targets begin with, corpus/TARGET/*, from the
captures, programs, logs and listings of the tests. What is there of regressions
(names that begin with "fix-") stays.

    fuzz/corpus.py
"""
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 4096  # bytes of an input, as a rule


def read(path, most=MOST):
    with open(os.path.join(ROOT, path), "rb") as f:
        return f.read(most)


def write(target, name, *parts):
    folder = os.path.join(ROOT, "fuzz", "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(b"".join(bytes([p]) if isinstance(p, int) else p for p in parts))


def scenarios(path):
    """The name of each case of a file, and the bytes of its trace, as far as
    it gives them in numbers."""
    for case in re.split(r"^== ", read(path, 100000).decode(), flags=re.M)[1:]:
        rows = re.findall(r"^ *bytes ([0-9a-f ]+?)(?: >.*)?$", case, re.M)
        yield case.split("\n")[0], bytes.fromhex("".join(rows).replace(" ", ""))


def stream(capture):
    """The bytes of the one source of a capture in frames."""
    out = bytearray()
    for at in range(0, 2048, 16):
        frame = capture[at:at + 16]
        for i in range(0, 15):
            if i % 2 or not frame[i] & 1:
                out.append(frame[i] | (frame[15] >> (i // 2) & 1 if i % 2 == 0
                                       else 0))
    return bytes(out)


def hex_records(data):
    lines = []
    for at in range(0, len(data), 16):
        r = bytes([len(data[at:at + 16]), at >> 8, at & 255, 0]) + data[at:at + 16]
        lines.append(":" + (r + bytes([-sum(r) & 255])).hex().upper())
    return ("\n".join(lines + [":00000001FF", ""])).encode()


def s_records(data):
    lines = []
    for at in range(0, len(data), 16):
        r = bytes([len(data[at:at + 16]) + 3, at >> 8, at & 255]) + data[at:at + 16]
        lines.append("S1" + (r + bytes([~sum(r) & 255])).hex().upper())
    return ("\n".join(lines + ["S9030000FC", ""])).encode()


VCD = b"""$timescale 1 us $end
$scope module probe $end
$var wire 1 ! SWO $end
$var wire 1 C TRACECLK $end
$var wire 4 D TRACEDATA $end
$var wire 1 K TRACECTL $end
$upscope $end
$enddefinitions $end
#0
1!
0C
b0000 D
0K
""" + b"".join(b"#%d\n%d!\n%dC\nb%s D\n" % (10 * i + i % 3, i >> 1 & 1, i & 1,
                                        format(i * 7 % 16, "04b").encode())
               for i in range(1, 60))
CSV = b"Time [s],SWO,D0,D1\n" + b"".join(
    b"%d.%06d,%d,%d,%d\n" % (i // 9, i * 111, i & 1, i >> 1 & 1, i >> 2 & 1)
    for i in range(60))
OPENOCD = b"--- etm trace dump ---\n" + b"".join(
    b"%d 0x%x 0x%x\n" % (i, i * 7 % 8, i * 5 % 256) for i in range(40))
ITM = bytes.fromhex("000000000080 0148 0165 036c6c6f00 0521 171802 0008"
                    "1500 15ff 0e0120 c0c0c001 7000000000".replace(" ", ""))


def main():
    m3 = read("demo/cortex-m3/cstrace.bin", 2048)
    a9 = read("demo/cortex-a9/cstrace.bin", 2048)
    v1, v2 = (read("test/data/etmv%d_port/port.txt" % v) for v in (1, 2))
    etmv3, pft = stream(m3), stream(a9)
    code = read("demo/cortex-m3/sensor.elf", 0x1300)[0x1000:0x1100].ljust(256, b"\0")

    for i, raw in enumerate((m3, a9)):
        write("frame", "frames%d" % i, 0, 16 + i, 7, raw)
        write("frame", "port%d" % i, 1, 16 + i, 3,
              b"\xff\xff\xff\x7f" + raw[:256] + b"\xff\xff\xff\x7f" + raw[256:512])
    for i, raw in enumerate((etmv3, pft)):
        bits = int.from_bytes(raw[700:1400], "little") << 3
        write("realign", "shifted%d" % i, 0, 7, raw[:700],
              bits.to_bytes(701, "little"))
        write("pins", "trace%d" % i, 2 + i, 4, 3, raw[:400])
        write("pins", "samples%d" % i, i, 4, 3, raw[:400])
        write("packets", "stream%d" % i, i, 0x10, 2, raw[:1024])
        write("packets", "cycles%d" % i, i | 0x14, 0x17, 2, raw[:1024])
        write("guess", "stream%d" % i, 0, raw[:1024])
        write("guess", "shifted%d" % i, 0, raw[100:600])
    write("pins", "swo", 7, 0, 0, bytes(8 if i % 5 else 16 for i in range(200)))
    write("packets", "itm", 2, 0, 0, ITM)
    write("guess", "itm", 0, ITM)
    for i, idr in enumerate((0, 3, 4, 5, 6, 7)):
        write("decode", "idr%d" % idr, 0x00, 0x01 if i & 1 else 0, idr, 0, 0, 50,
              0, 0, code, (pft if idr > 5 else etmv3)[:600])
    for v, port in ((1, v1), (2, v2)):
        write("decode", "etmv%d" % v, 0, 4, 0x10 | v & 1 | 4, 0, 0, 99, 0, 0, code,
              bytes(int(x, 16) & 255
                    for x in re.findall(rb"\b[0-9a-f]+\b", port))[:600])
    for name, trace in list(scenarios("test/flow/itm/itm.scn"))[:6]:
        write("decode", "itm-" + name[:20], 0, 0, 0x20, 0, 0, 9, 0, 0, code, trace)
    write("decode", "mtb", 0, 0, 0x30, 0, 0, 9, 0, 0, code,
          bytes.fromhex("00800000 05800000 04800000 0a800000".replace(" ", "")))

    for path in sorted(glob.glob(ROOT + "/test/exec/tarmac/*"))[:24]:
        name = os.path.basename(path)
        write("log", name[:30] + name[-4:], 1 if name.endswith("tarmac") else 0, 5,
              read(path, 1500))
    write("log", "nested", 2, 9, read("demo/nested-m3.log", 3000))

    text = read("test/setup/listings.txt", 200000).decode()
    for i, part in enumerate(re.split(r"\n@@ ", text)[1:]):
        listing = re.sub(r"(?m)^@ .*\n?", "", part.split("\n", 1)[1])[:800]
        if i % 2 == 0:
            write("setup", "listing%02d" % i, listing.encode())
        if i % 4 == 0:
            write("explain", "listing%02d" % i, 1, listing.encode())
        if i % 6 == 0:
            write("command", "listing%02d" % i, 5 + i % 4 // 2, listing.encode())
    write("setup", "table", b"ETMIDR = 0x4114f240\nETMCR = 0x00000c10\n")
    write("setup", "script", b"mww 0xe0041000 0xc10\nset *(int*)0xe0041fb0 = 1\n")
    write("explain", "words", 0, 4, bytes(range(200)))

    for elf in ("removed", "two_states", "two_states_zlib-gnu", "removed_dwarf2",
                "copies"):
        write("elf", elf, read("test/data/%s.elf" % elf))
    write("elf", "hex", hex_records(code))
    write("elf", "srec", s_records(code))

    ini = b"\0".join(read("demo/cortex-m3/" + name) for name in
                     ("snapshot.ini", "trace.ini", "cpu_0.ini", "device_1.ini"))
    ini = ini.replace(b"cpu_0.ini", b"cpu.ini").replace(b"device_1.ini", b"source.ini")
    ini = ini.replace(b"sensor.elf", b"buffer.bin").replace(b"cstrace.bin",
                                                            b"buffer.bin")
    write("capture", "snapshot", 2, ini, b"\0", m3[:512])
    write("capture", "frames", 1, 0, m3[:1024])
    write("capture", "hex", 3, hex_records(code))
    write("capture", "srec", 3, s_records(code))
    write("capture", "perf", 0, b"PERFILE2" + (104).to_bytes(8, "little"),
          bytes(240))

    for i, (kind, form, data) in enumerate((
            (3, 0, etmv3[:800]), (4, 0, pft[:800]), (4, 0x20, pft[:800]),
            (3 + 8, 0, m3[:800]), (4 + 8, 0, a9[:800]), (5, 0, ITM),
            (5 + 5 * 8, 0, VCD), (5 + 5 * 8, 0, CSV), (1 + 3 * 8, 0, v1),
            (2 + 3 * 8, 0, v2), (1 + 3 * 8, 0x0b, OPENOCD), (3 + 4 * 8, 8, VCD),
            (6 + 6 * 8, 0, m3[:256]))):
        write("session", "raw%02d" % i, kind, form, b"na\x1b[31m\xe2\x80\xaeme\0", data)

    write("command", "merge", 1, read("test/cli/golden/cortex-m3.coverage.jsonl"))
    write("command", "stats", 0, read("test/cli/golden/cortex-m3.stats.jsonl"))
    for i, data in ((3, m3[:512]), (8, VCD), (8, CSV), (9, v1), (9, OPENOCD),
                    (10, m3[:256]), (11, ITM), (12, read("test/data/removed.elf")),
                    (13, read("test/exec/tarmac/a_gap_turns_no_condition.tarmac"))):
        write("command", "line%02d-%d" % (i, len(data)), i, data)

    packets = (b"qSupported:multiprocess+", b"?", b"g", b"qXfer:features:read:"
               b"target.xml:0,fff", b"bs", b"bc", b"s", b"c", b"m1b8,10", b"Z0,1b8,2",
               b"z0,1b8,2", b"qThreadExtraInfo,1", b"Hg1", b"vCont?", b"vCont;s:1",
               b"qRcmd,68656c70", b"qXfer:threads:read::0,fff", b"p1a", b"QStartNoAckMode",
               b"qXfer:btrace:read:all:0,fff", b"Z2,20000400,4", b"bc", b"D")
    write("serve", "all", b"\0".join(packets))
    write("serve", "steps", b"\0".join([b"bs"] * 5 + [b"s", b"g", b"vCont;c"]))
    write("gdb", "all", b"".join(b"$%s#%02x+" % (p, sum(p) & 255) for p in packets))
    write("port", "text1", 0x04, 1, 5, v1)
    write("port", "vcd", 0x02, 2, 9, VCD)
    write("port", "csv", 0x02, 7, 9, CSV)
    write("port", "openocd", 0x00, 3, 9, OPENOCD)


if __name__ == "__main__":
    main()
