#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command does on a terminal: colours of messages, the pager, and
progress. Speaks TAP. Usage: terminal.py ETM DEMO EMULATOR"""
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

etm, demo = (os.path.abspath(path) for path in sys.argv[1:3])
emulator = sys.argv[3] == "true"
m3 = os.path.join(demo, "cortex-m3")
scratch = tempfile.TemporaryDirectory()
os.chdir(scratch.name)
number = 0
# A suite that a shell runs in the background inherits an ignored SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)


def verdict(good, name, seen=b""):
    global number
    number += 1
    if not good:
        for line in seen[-2000:].splitlines() or [b""]:
            print("# %r" % line)
    print("%s %d - %s" % ("ok" if good else "not ok", number, name), flush=True)


def on_terminal(*words, keys=(), **environment):
    """What the terminal shows, and the exit status; `keys`: what to type, each
    once these bytes were seen. What does not end in two minutes is killed."""
    names = {"PATH": os.environ["PATH"], "TERM": "xterm", "ETM_PAGER": "cat"}
    names.update(environment)
    names = {k: v for k, v in names.items() if v is not None}
    child, terminal = pty.fork()
    if child == 0:
        os.execve(etm, [etm, *words], names)
    seen, keys, begin = b"", list(keys), time.monotonic()
    while True:
        if time.monotonic() > begin + 120:
            os.killpg(child, signal.SIGKILL)
        if keys and keys[0][0] in seen:
            os.write(terminal, keys.pop(0)[1])
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            some = os.read(terminal, 65536)
        except OSError: # the other end is closed
            break
        if not some:
            break
        seen += some
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return seen, os.waitstatus_to_exitcode(status)


def pager(name, text, program="/bin/sh"):
    with open(name, "w") as file:
        file.write("#!%s\n%s" % (program, text))
    os.chmod(name, 0o755)
    return os.path.abspath(name)


whole = subprocess.run([etm, "decode", m3], capture_output=True).stdout
colour = b"\033[1;31metm:\033[m "

# Messages.
seen, status = on_terminal("decode", "nosuch")
verdict(colour in seen and status == 1, "messages_have_a_colour", seen)
seen, _ = on_terminal("decode", "nosuch", NO_COLOR="1")
verdict(seen.startswith(b"etm: "), "no_color_is_also_for_messages", seen)
seen, _ = on_terminal("decode", "nosuch", TERM="dumb")
verdict(seen.startswith(b"etm: "), "a_dumb_terminal_has_no_colours", seen)
for word in "--no-color", "--color=never":
    seen, _ = on_terminal(word, "decode", "nosuch")
    verdict(seen.startswith(b"etm: "), "so_is_%s" % word, seen)
seen, _ = on_terminal("--color=auto", "decode", m3)
verdict(b"\033[" in seen, "auto_is_colours_on_a_terminal", seen)

# The pager.
keep = pager("keep", "cat >shown; echo \"LESS=$LESS\" >less; echo paged\nexit 3\n")
seen, status = on_terminal("decode", m3, "--no-color", ETM_PAGER=keep)
verdict(seen == b"paged\r\n" and status == 0 and
        open("shown", "rb").read() == whole, "a_listing_is_shown_by_the_pager", seen)
verdict(open("less").read() == "LESS=FRX\n", "less_is_told_how")
on_terminal("decode", m3, ETM_PAGER=keep, LESS="S")
verdict(open("less").read() == "LESS=S\n", "unless_the_user_told_it")
quick = pager("quick", "echo paged; cat >/dev/null\n")
for words in ((), ("--no-pager",)):
    seen, status = on_terminal("diff", m3, m3, *words, ETM_PAGER=quick)
    verdict((seen == b"paged\r\n") == (words == ()) and status == 0,
            "_".join(("differences",) + words), seen)
for name, words, names in (
        ("an_empty_pager_is_none", (), {"ETM_PAGER": "", "PAGER": keep}),
        ("no_pager_if_so_asked", ("--no-pager",), {"ETM_PAGER": keep}),
        ("no_pager_on_a_dumb_terminal", (), {"ETM_PAGER": keep, "TERM": "dumb"}),
        ("no_pager_that_is_not_there", (), {"ETM_PAGER": "no-such-pager -x"})):
    seen, status = on_terminal("decode", m3, "--no-color", *words, **names)
    verdict(seen.replace(b"\r\n", b"\n") == whole and status == 0, name, seen)
seen, status = on_terminal("decode", m3, ETM_PAGER=None, PAGER=keep)
verdict(seen == b"paged\r\n", "pager_of_the_system", seen)
seen, status = on_terminal("decode", m3, ETM_PAGER="head -n 2 | tail -n 1 #")
verdict(seen.count(b"\n") == 1 and status == 0, "a_pager_may_be_a_line_of_shell",
        seen)
seen, status = on_terminal("decode", m3, "-o", "file", ETM_PAGER=keep)
verdict(seen == b"" and open("file", "rb").read() == whole,
        "a_file_is_not_paged", seen)
for words in (("decode", "nosuch"), ("--help",), ("decode", "--help")):
    seen, _ = on_terminal(*words, ETM_PAGER=keep)
    verdict(b"paged" not in seen, "nor_is_%s" % "_".join(words), seen)
with open(os.path.join(m3, "cstrace.bin"), "rb") as file:
    noise = file.read()
with open("noise", "wb") as file:
    file.write(noise[:3000] + bytes(range(256)) + noise[3000:])
raw = ("--framing", "coresight", "--protocol", "etmv3", "--image",
       os.path.join(m3, "sensor.elf"))
seen, status = on_terminal("decode", "noise", *raw, ETM_PAGER=keep)
verdict(b"etm:" not in seen and b"etm:" in open("shown", "rb").read(),
        "what_is_said_at_the_end_is_in_the_pager", seen)
# A shell may begin to read before it looks at a signal; what waits for one does
# not miss it.
stay = """import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
with open(0, "rb", buffering=0) as listing:
    listing.%s
print("waiting", flush=True)
signal.sigwait([signal.SIGINT])
print("interrupted", flush=True)
open("/dev/tty").readline()
print("left", flush=True)
"""
for name, read, level in (("", "read(1)", "instructions"),
                          ("_that_has_all", "readall()", "ranges")):
    seen, status = on_terminal(
        "decode", m3, "--level", level,
        ETM_PAGER=pager("stay", stay % read, sys.executable),
        keys=((b"waiting", b"\x03"), (b"interrupted", b"\n")))
    verdict(seen.endswith(b"left\r\n") and status == -signal.SIGINT,
            "the_command_waits_for_the_pager%s_after_an_interrupt" % name, seen)

# Progress.
if not emulator:
    for name in ("progress_of_a_recording", "an_interrupt_keeps_the_trace"):
        number += 1
        print("ok %d - %s # SKIP no emulator" % (number, name))
else:
    seen, status = on_terminal(
        "record", os.path.join(m3, "sensor.elf"), "-o", "recorded", "--limit",
        "none", keys=((b"instructions  (Ctrl-C ends it and keeps", b"\x03"),))
    verdict(b" instructions  (Ctrl-C" in seen, "progress_of_a_recording", seen)
    info = subprocess.run([etm, "decode", "recorded", "--stats"],
                          capture_output=True)
    verdict(status == 0 and b"interrupted, near" in seen and
            b'"what":"instructions"' in info.stdout,
            "an_interrupt_keeps_the_trace", seen)
print("1..%d" % number)
