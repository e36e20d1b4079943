#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the inputs that the fuzz targets begin with, corpus/TARGET/*, from the
captures, programs, logs and listings of the tests. What is there of regressions
(names that begin with "fix-") stays.

    fuzz/corpus.py
"""
import glob
import io
import os
import re
import struct
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST = 4096  # bytes of an input, as a rule

sys.path.insert(0, os.path.join(ROOT, "test", "gdb"))
import perf_file  # noqa: E402


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


def logs(path):
    """The name of each case of a file, its Tarmac log and the execution log."""
    out = []
    for case in re.split(r"^== ", read(path, 100000).decode(), flags=re.M)[1:]:
        tarmac, log = re.search(r"^tarmac.*\n((?:  .*\n)*)expect log\n((?:  .*\n)*)",
                                case, re.M).groups()
        out.append((case.split("\n")[0], re.sub(r"(?m)^  ", "", tarmac).encode(),
                    b"version 1\n" + re.sub(r"(?m)^  ", "", log).encode()))
    return out


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
BLOCKS = b"".join(
    b'{"k":"block","src":16,"start":"0x%08x","end":"0x%08x","isa":"thumb",'
    b'"insns":%d,"n":%d}\n' % (64 + 8 * i, 64 + 8 * i + 2 * (i % 5 + 1), i % 5 + 1, i * i)
    for i in range(30))
BRANCHES = b"".join(
    b'{"k":"branch","src":16,"addr":"0x%08x","symbol":"sort","offset":%d,"file":'
    b'"../src/sort.c","line":%d,"outcome":"%s","n":%d}\n'
    % (64 + 4 * i, 4 * i, i, b"taken" if i % 2 else b"not_taken", i * i)
    for i in range(28))
ITM = bytes.fromhex("000000000080 0148 0165 036c6c6f00 0521 171802 0008"
                    "1500 15ff 0e0120 c0c0c001 7000000000".replace(" ", ""))


MTB = bytes.fromhex("00800000 05800000 04800000 0a800000".replace(" ", ""))


def records(port):
    """The samples of a port in text, "TRACESYNC PIPESTAT TRACEPKT", as the
    records of a stream."""
    out = bytearray()
    for line in port.decode().splitlines():
        pins = [int(x, 16) for x in line.split("#")[0].split()]
        if len(pins) == 3:
            out += bytes([pins[1] | pins[0] << 7, pins[2] & 255])
    return bytes(out)


def orbflow(*packets):
    """Packets of orbuculum, (stream, bytes): with a sum, stuffed, a 0 behind."""
    out = bytearray()
    for stream, data in packets:
        plain = bytes([stream]) + data
        plain += bytes([-sum(plain) & 255])
        for part in plain.split(b"\0"):
            while len(part) >= 254:
                out += b"\xff" + part[:254]
                part = part[254:]
            out += bytes([len(part) + 1]) + part
        out.append(0)
    return bytes(out)


def perf(packed):
    """A file of perf with the trace of a Cortex-A9 and a program; packed: its
    mapping is in a record of zstd, as a block that is no shorter."""
    mapping = perf_file.mapping(0x8000, 0x1000, 0, "/no/program")
    if packed:
        block = len(mapping) << 3 | 1
        mapping = perf_file.record(81, 0, b"\x28\xb5\x2f\xfd\x20" + bytes(
            [len(mapping)]) + struct.pack("<I", block)[:3] + mapping + bytes(
                -(len(mapping) + 9) % 8))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        perf_file.write(os.path.join(ROOT, "demo", "cortex-a9"), path, [mapping])
        with open(path, "rb") as f:
            return f.read()


def sigrok(stored):
    """A session of sigrok: the four pins and the clock of a trace port."""
    metadata = (b"[global]\nsigrok version=0.5.2\n[device 1]\ncapturefile=logic-1\n"
                b"total probes=5\nsamplerate=24 MHz\nunitsize=1\n"
                b"probe1=TRACECLK\n" + b"".join(
                    b"probe%d=TRACEDATA%d\n" % (i + 2, i) for i in range(4)))
    samples = bytes(i & 1 | (i * 7 // 3 & 15) << 1 for i in range(400))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in (("version", b"2"), ("metadata", metadata),
                           ("logic-1-2", samples[200:]), ("logic-1-1", samples[:200])):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_STORED
                             if stored else zipfile.ZIP_DEFLATED)
    return out.getvalue()


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
        write("packets", "stream%d" % i, 4 + 2 * i, 0x10, 2, raw[:1024])
        write("packets", "cycles%d" % i, 4 + 2 * i, 0x17, 2, raw[:1024])
        write("guess", "stream%d" % i, 0, raw[:1024])
        write("guess", "shifted%d" % i, 0, raw[100:600])
    write("pins", "swo", 7, 0, 0, bytes(8 if i % 5 else 16 for i in range(200)))
    write("packets", "itm", 7, 0, 0, ITM)
    for v, port in ((1, v1), (2, v2)):
        write("packets", "etmv%d" % v, 7 + 2 * v, 6, 0x26, records(port)[:600])
    write("packets", "mtb", 12, 0, 0, MTB)
    write("guess", "itm", 0, ITM)
    for i, idr in enumerate((0, 3, 4, 5, 6, 7)):
        write("decode", "idr%d" % idr, 0x00, 0x01 if i & 1 else 0, idr, 0, 0, 50,
              0, 0, code, (pft if idr > 5 else etmv3)[:600])
    for v, port in ((1, v1), (2, v2)):
        write("decode", "etmv%d" % v, 0, 4, 0x10 | v & 1 | 4, 0, 0, 99, 0, 0, code,
              records(port)[:600])
    for name, trace in list(scenarios("test/flow/itm/itm.scn"))[:6]:
        write("decode", "itm-" + name[:20], 0, 0, 0x20, 0, 0, 9, 0, 0, code, trace)
    write("decode", "mtb", 0, 0, 0x30, 0, 0, 9, 0, 0, code,
          MTB)

    for name, tarmac, log in logs("test/exec/tarmac_state.scn")[:12]:
        write("log", name[:30] + ".log", 0, 5, log[:1500])
        write("log", name[:30] + "rmac", 1, 5, tarmac[:1500])
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
    write("capture", "perf", 0, perf(False))
    write("capture", "perf-packed", 0, perf(True))

    none, frames, port, tpiu_port, swo, mtb, packets = (8 * i for i in (0, 1, 4, 5, 6,
                                                                        7, 8))
    sent = orbflow((1, ITM), (2, etmv3[:300]), (2, etmv3[300:330]), (1, ITM))
    for i, (kind, form, data) in enumerate((
            (3 + none, 0, etmv3[:800]), (4 + none, 0, pft[:800]),
            (4 + none, 0x20, pft[:800]), (3 + frames, 0, m3[:800]),
            (4 + frames, 0, a9[:800]), (5 + none, 0, ITM), (5 + swo, 0, VCD),
            (5 + swo, 0, CSV), (1 + port, 0x10, v1), (2 + port, 0x10, v2),
            (1 + port, 0x13, OPENOCD), (3 + tpiu_port, 8, VCD),
            (6 + mtb, 0, m3[:256]), (5 + packets, 0, sent),
            (3 + tpiu_port, 8, sigrok(True)), (3 + tpiu_port, 8, sigrok(False)))):
        write("session", "raw%02d" % i, kind, form, b"na\x1b[31m\xe2\x80\xaeme\0", data)

        write("pipe", "raw%02d" % i, kind, form, data)
        if i in (0, 1, 3, 4, 13):
            write("pipe", "raw%02d-id" % i, kind, form | 0x80, data)
    write("orbflow", "two", 6, sent)
    write("orbflow", "damaged", 11, sent[:200] + b"\x55" + sent[200:])

    write("command", "merge", 1, BRANCHES)
    write("command", "stats", 0, BLOCKS)
    for i, data in ((3, m3[:512]), (8, VCD), (8, CSV), (9, v1), (9, OPENOCD),
                    (10, m3[:256]), (11, ITM), (12, read("test/data/removed.elf")),
                    (13, logs("test/exec/tarmac_state.scn")[1][1])):
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
