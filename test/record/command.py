#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command `etm record` itself: what it prints, what it refuses. Speaks TAP.

    command.py ETM PROGRAMS EMULATOR ELFUTILS      the last two: true or false
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

etm, programs = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
emulator, elfutils = (word == "true" for word in sys.argv[3:5])
number = 0


def elf(name):
    return os.path.join(programs, name + ".elf")


def run(*words, **how):
    """The command; its status, standard output and standard error."""
    done = subprocess.run([etm, *words], capture_output=True, text=True, **how)
    return done.returncode, done.stdout, done.stderr


def record(*words, to="s", **how):
    return run("record", *words, "-o", to, "--log", to + ".log", **how)


def recorded(*words, **how):
    """What is said of a recording that succeeds."""
    status, out, err = record(*words, **how)
    assert status == 0, err
    return out, err


def insns(snapshot, form="jsonl"):
    status, out, err = run("decode", snapshot, "--level", "instructions",
                           "--format", form)
    assert status == 0, err
    return out


def content(name):
    with open(name, "rb") as f:
        return f.read()


def write(name, data):
    with open(name, "wb") as f:
        f.write(data.encode() if isinstance(data, str) else data)
    return name


def test(needs=True):
    """A function is a test, in an empty folder, if there is what it needs."""
    def decorator(function):
        global number
        number += 1
        name = function.__name__
        if not needs:
            print(f"ok {number} - {name} # SKIP not in this build")
            return
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                function()
                print(f"ok {number} - {name}")
            except AssertionError as failure:
                print(f"# {failure!r}\nnot ok {number} - {name}")
            os.chdir("/")
    return decorator


# A log is an execution as good as the one it was written of.
@test(emulator)
def a_log_gives_the_same_trace():
    how = "--core cortex-a9 --context-id 4 --timestamps".split()
    recorded(elf("nested-a9"), "--interrupt", "irq/500", *how)
    recorded("--execution", "s.log", *how, to="t")
    assert content("s.log") == content("t.log")
    assert content("s/cstrace.bin") == content("t/cstrace.bin")
    # and without the program the code of the log is enough to decode it
    assert insns("s") == insns("t")


# An ARM11 loads the PC first, and a log has its transfers in that order.
@test(emulator)
def so_does_a_log_with_data():
    for core in "arm1026ej-s", "arm1136jf-s":
        how = ["--core", core, "--data", "both"]
        recorded(elf("nested-arm926"), *how)
        recorded("--execution", "s.log", *how, to="t")
        assert content("s/cstrace.bin") == content("t/cstrace.bin")


@test(emulator)
def what_the_program_prints_is_printed():
    out, err = recorded(elf("hello-a9"), "--core", "cortex-a9")
    assert "hello" in out and "the program ended with status 7" in err, err
    err = recorded(elf("hello-a9"), "--core", "cortex-a9", "--limit", "100")[1]
    assert "limit of instructions" in err and "100 instructions" in err, err


# Memory that a program needs can be given, and is asked for where it runs into
# its lack.
@test(emulator)
def a_fault_says_what_is_missing():
    err = recorded(elf("recurse-a9"), "--core", "arm7tdmi", "--limit", "1000")[1]
    assert "; the instruction at 0x00000124 is undefined" in err, err
    err = recorded(elf("hello-a9"), "--core", "cortex-a9",
                   "--memory", "0x20000000-0x20001000",
                   "--memory", "0x40000000-0x40000004")[1]
    assert "the program ended with status 7" in err and ";" not in err, err


# A reader that has gone away wants no more; the recording does.
@test(emulator)
def nobody_needs_to_read_what_the_program_prints():
    end, out = os.pipe()
    os.close(end)
    done = subprocess.run([etm, "record", elf("hello-a9"), "-o", "s"], stdout=out,
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done
    assert "the program ended with status 7" in done.stderr, done.stderr
    assert insns("s").count('"k":"insn"') > 4000


# A recording that fails late leaves the one before it.
@test()
def a_failed_recording_replaces_nothing():
    log = write("in.log", "version 1\nplace 00008000\n00008000 e3a00003\n")
    assert run("record", "--execution", log, "-o", "s")[0] == 0
    shutil.copytree("s", "before")
    write(log, content(log) + b"nonsense\n")
    assert run("record", "--execution", log, "-o", "s")[0] != 0
    assert os.listdir("s") and os.listdir("s") == os.listdir("before")
    for name in os.listdir("s"):
        assert content("s/" + name) == content("before/" + name), name


MISTAKES = """
2 | | what to record?
1 | no-such.elf | etm:
2 | x.elf --core z80 | no such core
2 | x.elf --interrupt irq | NAME@COUNT
2 | x.elf --interrupt irq240@1 | NAME@COUNT
2 | x.elf --interrupt irq@1x | NAME@COUNT
2 | x.elf --framing paper | not one of
2 | x.elf --trace-id 0x70 | 0x6f
2 | x.elf --reg ETMX=1 | no register
2 | x.elf --reg ETMCR | NAME=VALUE
2 | x.elf --data all | both
2 | x.elf --context-id 3 | 0, 1, 2 or 4
2 | x.elf --fifo 0 | neither
2 | x.elf --nonsense | no such option
2 | x.elf --limit | neither a number
2 | x.elf --memory 0x1000 | not of the form FROM-TO
2 | x.elf --memory 0x1000-0x1000 | not of the form FROM-TO
2 | x.elf --memory 0-0x100000001 | not of the form FROM-TO
2 | --execution a --memory 0-1 | --memory is for running
2 | x.elf y.elf | only one program
2 | --execution a --tarmac b | only one execution
1 | --execution no-such.log --data address,value | no-such.log
2 | --execution a --limit 5 | is for running
2 | x.elf --cpu cpu0 | --tarmac only
2 | x.elf --setup f --timestamps | --timestamps: --setup
2 | x.elf --setup f --port-width 8 | --port-width: --setup
1 | --execution no-such.log | no-such.log
2 | --execution /dev/null --etm v9 | v9: no such version
1 | --execution /dev/null --data both | cortex-a9: this macrocell has no trace of data
"""


@test()
def mistakes_are_said_in_one_line():
    for row in MISTAKES.strip().split("\n"):
        status, words, what = (part.strip() for part in row.split("|"))
        got, out, err = record(*words.split())
        assert got == int(status) and what in err, (row, got, err)
        assert out == "" and err.startswith("etm: ") and err.count("\n") == 1, err


def without_attributes(program, thumb):
    """A copy of a program without its build attributes (their section has no
    type), and whose entry is in that state."""
    data = bytearray(content(elf(program)))
    data[24] = data[24] & 0xfe | thumb
    for at in range(int.from_bytes(data[32:36], "little"), len(data) - 39, 40):
        if data[at + 4:at + 8] == b"\3\0\0\x70":
            data[at + 4] = data[at + 7] = 0
    return write("copy.elf", data)


# A program that says nothing of its processor is run on a Cortex-A9; one for
# the M profile does not get far there.
@test(emulator)
def a_program_of_the_m_profile_that_does_not_say_so():
    hint = "looks like a program for an M-profile one"
    # with a table of vectors, whatever its entry is
    copy = without_attributes("nested-m3", 0)
    assert hint in recorded(copy, "--limit", "100000")[1]
    # without one
    copy = without_attributes("hello-m3", 1)
    err = recorded(copy, "--limit", "100000")[1]
    assert hint in err and "--core cortex-m3" in err, err
    err = recorded(copy, "--core", "cortex-m3")[1]
    assert "the program ended with status" in err and hint not in err, err
    assert hint not in recorded(copy, "--core", "cortex-a9", "--limit", "100000")[1]
    # with attributes, but no section, whatever stands behind their number
    data = bytearray(content(elf("hello-m3")))
    data[48:50] = b"\0\0"
    assert hint in recorded(write("copy.elf", data), "--limit", "100000")[1]
    # those of other profiles fail for other reasons: UDF at 0 and 4, which is
    # its own handler
    data = bytearray(content(without_attributes("recurse-a9", 0)))
    data[0x80:0x88] = b"\xf0\0\xf0\xe7" * 2
    err = recorded(write("copy.elf", data), "--limit", "1000")[1]
    assert "is undefined" in err and hint not in err, err


# What the emulator cannot do is said by name.
@test(emulator)
def big_endian_programs_are_refused():
    status, _, err = record(elf("../data/two_states_be8"))
    assert status == 1 and "big-endian programs cannot be run" in err, err


# The emulator is loaded by who runs a program, and by no other command: here a
# library that is none stands before the one that is.
@test(emulator and "ETM_OWN_LIBRARIES" not in os.environ)
def only_running_a_program_needs_unicorn():
    os.mkdir("lib")
    write("lib/libunicorn.so.2", "")
    path = "lib:" + os.environ.get("LD_LIBRARY_PATH", "")
    env = dict(os.environ, LD_LIBRARY_PATH=path)
    status, out, err = run("record", elf("hello-a9"), "-o", "none", env=env)
    assert (status, out, err.count("\n")) == (1, "", 1), err
    assert "Unicorn cannot be loaded" in err, err
    assert run("--version", env=env)[0] == 0


def core_of(*words):
    recorded(*words)
    return re.search(rb"^type=(.*?)\r?$", content("s/device_0.ini"), re.M)[1].decode()


# The ELF file says what it was compiled for.
@test(emulator)
def a_program_names_its_processor():
    for words, core in (("hello-m3", "Cortex-M3"), ("hello-arm7tdmi", "ARM7TDMI"),
                        ("hello-arm7tdmi --core arm7tdmi-large", "ARM7TDMI"),
                        ("hello-a9", "Cortex-A9"),
                        ("hello-a9 --core cortex-a9r0p0", "Cortex-A9")):
        program, *options = words.split()
        assert core_of(elf(program), *options) == core, words


# Compilers seldom name the processor: its architecture tells enough. It is
# Tag_CPU_arch, 6, after the name of the processor; or, as they come in any order,
# after the `others`, up to the end.
@test(emulator)
def a_program_names_its_architecture():
    m3, arm7 = ("hello-m3", b"7-M\0\6\x0a", 18), ("hello-arm7tdmi", b"4T\0\6\2", 16)
    for (program, mark, others), architecture, core in (
            (m3, 13, "Cortex-M4"), (m3, 11, "Cortex-M3"), (arm7, 1, "ARM7TDMI"),
            (arm7, 5, "ARM926EJ-S"), (arm7, 6, "ARM1136JF-S"),
            (arm7, 7, "ARM1176JZF-S"), (arm7, 8, "Cortex-A9"),
            (arm7, 9, "ARM1176JZF-S"), (arm7, 10, "Cortex-A9"),
            (arm7, 99, "Cortex-A9")):
        data = content(elf(program))
        assert mark in data
        changed = data.replace(mark, mark[:-1] + bytes([architecture]), 1)
        assert core_of(write("copy.elf", changed)) == core, architecture
        at = data.index(mark) + len(mark) - 2
        changed = bytearray(data)
        changed[at:at + 2 + others] = data[at + 2:at + 2 + others] + bytes([6, architecture])
        assert core_of(write("copy.elf", changed)) == core, architecture


# VBAR is 0x10000 when the SVC is taken; of a program no line of a log is said.
@test(emulator)
def what_etmv1_cannot_trace_is_refused():
    code = [0xeafffffe] * 4 + [0xe3a00801, 0xee0c0f10, 0xef000000]
    write("moved.elf", b"\x7fELF\1\1\1" + bytes(9) + struct.pack(
        "<HHIIIIIHHHHHH8I7I", 2, 40, 1, 0x10010, 52, 0, 0x5000000, 52, 32, 1, 0, 0, 0,
        1, 84, 0x10000, 0x10000, 28, 28, 5, 4, *code))
    status, _, err = record("moved.elf", "--core", "cortex-a9", "--etm", "v1.3")
    assert status == 1 and err == (
        "etm: the macrocell cannot trace what was executed near 0x00010008: ETMv1 and "
        "ETMv2 identify exceptions only by vectors at 0 or 0xffff0000\n"), err


# A core with a larger macrocell runs the same programs.
@test(emulator)
def a_core_runs_programs_whatever_its_macrocell():
    recorded(elf("hello-arm7tdmi"), "--core", "arm9tdmi-large")


# The pieces of the ELF file bring its symbols.
@test(emulator and elfutils)
def a_recording_has_symbols():
    recorded(elf("moves-a9"))
    assert "\n <_start>:\n" in insns("s", "text")


@test()
def a_tarmac_log_is_recorded():
    log = write("in.tarmac", """\
1 clk IT (1) 00008000 e3a00001 A svc_s : MOV r0,#1
2 clk IT (2) 00008004 e5801000 A svc_s : STR r1,[r0]
2 clk MW4 00000001 00000007
3 clk IT what is this
3 clk IT (3) 00008008 eafffffc A svc_s : B 0x8000
4 clk IT (4) 00008000 e3a00001 A svc_s : MOV r0,#1
""")
    err = recorded("--tarmac", log, "--core", "cortex-r4", "--data", "both")[1]
    assert "1 of 6 lines were not understood; the first is line 4: " \
        "3 clk IT what is this" in err and "4 instructions" in err, err
    assert re.findall('"opcode":"(.*?)"', insns("s")) == [
        "0xe3a00001", "0xe5801000", "0xeafffffc", "0xe3a00001"]
    assert re.findall('"value":"(.*?)"', insns("s")) == ["0x00000007"]


# The example of doc/execution-log.md, from standard input.
@test()
def an_execution_is_recorded():
    err = recorded("--execution", "-", "--core", "cortex-r4", input="""\
version 1
place 00008000
00008000 e3a00003
00008004 e2500001
00008008 1afffffd
00008004 e2500001 +4
00008008 1afffffd fail
0000800c e5801000 w4:00009000=12345678
00008010 e12fff11 next=00009000:t
exception irq +2 to=00000018:a
00000018 e25ef004 next=00009000:t
00009000 4770 next=00008014:a
""")[1]
    assert "9 instructions, 1 exception, 1 transfer, 14 cycles" in err, err
    told = insns("s")
    assert re.findall('"k":"insn".*?"isa":"(.*?)"', told) == 8 * ["arm"] + ["thumb"]
    assert told.count('"k":"exception"') == 1 and '"k":"lost"' not in told


@test()
def a_mistake_in_a_log_is_named_with_its_line():
    log = write("in.txt", "8000 e3a00001\n8008 e3a00001\n")
    status, _, err = record("--execution", log)
    assert status == 1 and \
        ".txt:2: the instruction in line 1 leads to 0x00008004" in err, err
    # record() writes the log there
    write("s.log", "8000 e3a00001\n")
    status, _, err = record("--execution", "s.log")
    assert status == 1 and "the log would replace what is read" in err, err
    assert content("s.log") == b"8000 e3a00001\n"


# In the program nested-m3: `print_value`, which SysTick interrupts, and `note`,
# which handlers call.
PRINT_VALUE, NOTE = 0x80, 0xc8


# Programs on a Cortex-M3 whose trace the comparators of the DWT select, as `etm
# configure` sets them up (7.6, E-580): what ran, what the trace tells, triggers.
def selected(*request):
    status, _, err = run("configure", "--core", "cortex-m3", *request, "-o", "setup")
    assert status == 0, err
    recorded(elf("nested-m3"), "--core", "cortex-m3", "--setup", "setup")
    ran = []
    for line in content("s.log").decode().split("\n"):
        if re.match("[0-9a-f]{8} ", line):
            ran.append(int(line[:8], 16))
        elif re.match("exception .* cancels", line):
            ran.pop()
    told = insns("s")
    assert '"k":"lost"' not in told
    return (ran, [int(at, 16) for at in re.findall('"insn".*?"addr":"(.*?)"', told)],
            told.count('"k":"trigger"'))


# A start takes effect before its instruction, and so does a stop (2.11.1).
@test(emulator)
def functions_start_and_stop():
    ran, told, _ = selected("--start-at", "0x81", "--stop-at", "0xc9")
    expected, on = [], False
    for at in ran:
        on = at == PRINT_VALUE or (on and at != NOTE)
        expected += [at] * on
    assert told == expected and 100 < len(told) < len(ran)


# Neither what it calls nor interrupts.
@test(emulator)
def a_region_is_traced_alone():
    for option, inside in (("--range", True), ("--exclude-range", False)):
        ran, told, _ = selected(option, "0x80-0xc8")
        expected = [at for at in ran if (PRINT_VALUE <= at < NOTE) == inside]
        assert told == expected and len(told) > 20, option


# At 0xfc00 the program never is; SHPR2 is written, and never read.
@test(emulator)
def a_place_or_a_store_triggers():
    for at, times in (("0xc8", 1), ("0xfc00", 0), ("store:0xe000ed1c", 1),
                      ("load:0xe000ed1c", 0)):
        ran, told, triggers = selected("--trigger-at", at)
        assert triggers == times and told == ran, at


print(f"1..{number}")
