#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a broken or hostile client sends gets an error, and the server goes on.
Speaks TAP.

    hostile.py ETM DEMO PROGRAMS EMULATOR
"""
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from remote import Remote, Verdicts

etm, demo = (os.path.abspath(path) for path in sys.argv[1:3])
m3 = os.path.join(demo, "cortex-m3")
a9 = os.path.join(demo, "cortex-a9")
verdict = Verdicts()

server = Remote(etm, m3)
pc = server.pc()
lr = server.register(14)

wrong = ["m", "m1", "m1,", "m,4", "mzz,4", "m0,zz", "m100000000,4", "p", "pzz",
         "p1000", "g1", "H", "Hx1", "Hg", "Hgzz", "Hg99", "Hg7fffffffff", "T",
         "T99", "Z0", "Z0,", "Z0,10", "Z9,10,2", "Z0,fffffffff,2", "z9,10,2",
         "Z5,0,4", "vCont", "vCont;", "vCont;x", "vCont;s:", "vCont;s:99",
         "vCont;r", "vCont;r5", "vCont;r9,5", "vCont;s;;", "bs1", "bc9", "G00",
         "P0=00000000", "M0,4:00000000", "X0,0:", "qXfer:features:read:x:0,10",
         "qXfer:threads:read::ffffff,10", "qXfer:threads:read::0",
         "qXfer:features:read:target.xml:zz,1", "qThreadExtraInfo,99",
         "qRcmd,0", "qRcmd,zz"]
answers = {text: server.ask(text) for text in wrong}
bad = [text for text, answer in answers.items()
       if not re.fullmatch(r"E[0-9]{2}", answer)]
verdict(not bad, "wrong packets are errors", [(t, answers[t]) for t in bad])

unknown = ["", "j", "vMustReplyEmpty", "qFoo", "QFoo", "b", "bx", "vRun;00",
           "Qbtrace:pt", "qXfer:auxv:read::0,10"]
answers = {text: server.ask(text) for text in unknown}
bad = [text for text, answer in answers.items() if answer != ""]
verdict(not bad, "unknown packets have empty replies",
        [(t, answers[t]) for t in bad])

for text in ["qRcmd," + b"goto".hex(), "qRcmd," + b"goto ts:x".hex(),
             "qRcmd," + b"goto 400%".hex(), "qRcmd," + b"goto -1".hex(),
             "qRcmd," + b"goto exception 0".hex(), "qRcmd," + b"find".hex(),
             "qRcmd," + b"find no_such".hex(), "qRcmd," + b"gaps x".hex(),
             "qRcmd," + b"nonsense".hex(), "qRcmd,",
             "qRcmd," + (b"goto " + b"9" * 100).hex(),
             "qRcmd," + (b"x" * 4000).hex()]:
    server.said = ""
    answers[text] = server.ask(text)
verdict(server.pc() == pc and server.register(14) == lr,
        "wrong commands move nothing")
said = server.monitor("find no_such")
verdict(said == "find [-]FUNCTION: no function is called 'no_such'\n",
        "a function that there is not is said", said)
verdict(server.monitor("goto 0xffffffffffffffff").count("\n") == 1 and
        server.pc() == pc, "behind the end is the end")

# Whatever is sent, a question after it is answered.
random.seed(1)
letters = b"$#}+-\x03*gmpHTZzvqQbG,;:0123456789abcdefxsrc\x00\xff"
for _ in range(2000):
    server.raw(bytes(random.choice(letters)
                     for _ in range(random.randrange(40))))
server.raw(b"#00" + b"+" * 3)
server.send("qAttached")
alive = False
while not alive:
    answer = server.receive()
    if answer is None:
        break
    alive = answer == "1"
verdict(alive, "random bytes do not end it")

server.raw(b"$" + b"m" * 100000 + b"#00")
server.send("qAttached")
verdict(server.receive() == "1", "a packet that is too long is dropped")
verdict(server.ask("m0," + "%x" % 0x10000000) not in (None, ""),
        "reading is limited to what a packet holds")
server.send("D")
verdict(server.receive() == "OK" and server.close() == 0, "detaching ends it")

acks = Remote(etm, m3, acks=True)
acks.raw(b"$?#00")
verdict(acks.server.stdout.read(1) == b"-",
        "with a wrong checksum a packet is asked for again")
acks.buffer = b""
acks.send("?")
verdict(acks.server.stdout.read(1) == b"+", "a good one is acknowledged")
acks.close()

# A list of threads is longer than a packet, and a processor may have any name.
with tempfile.TemporaryDirectory() as scratch:
    log, capture = (os.path.join(scratch, name) for name in ("log", "capture"))
    with open(log, "w") as file:
        file.write("version 1\nplace 8000:t\n")
        for at in range(0x8000, 0x8c80, 16):
            file.write("%08x f000f802\n%08x bf00\nexception pend_sv to=100:t\n"
                       "100 4770 return next=%x:t\n" % (at, at + 8, at + 16))
    subprocess.run([etm, "record", "--execution", log, "--core", "cortex-m3",
                    "-o", capture], check=True, stderr=subprocess.DEVNULL)
    for name in os.listdir(capture):
        if name.endswith(".ini"):
            path = os.path.join(capture, name)
            text = open(path, "rb").read()
            with open(path, "wb") as file:
                file.write(text.replace(
                    b"ETM_0", b"<\xc3\xa9&\xc2\x9b\xff" + b"N" * 80))
    server = Remote(etm, capture)
    text, answer = "", "m"
    while answer.startswith("m"):
        answer = server.ask("qXfer:threads:read::%x,1000" % len(text))
        text += answer[1:]
    server.close()
    try:
        threads = list(xml.etree.ElementTree.fromstring(text.encode("latin-1")))
    except xml.etree.ElementTree.ParseError as error:
        threads = [{"name": str(error)}]
    verdict(len(threads) == 200 and threads[0].get("name").startswith(
        "<\u00e9&??NN"), "all threads are in valid XML",
            (len(threads), threads[0].get("name")))

# More of what gdb sends than of what it does: half a packet, and gone.
half = Remote(etm, m3)
half.raw(b"$m0,")
verdict(half.close() == 0, "a client that goes away ends it")

# Without a host it listens on loopback only; brackets are those of IPv6.
for address in "[127.0.0.1]:0", ":0", "0":
    process = subprocess.Popen([etm, "gdb", a9, "--listen", address],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    line = process.stderr.readline().decode()
    port = re.fullmatch(
        r"etm: waiting for a debugger at 127\.0\.0\.1:(\d+)\n", line)
    verdict(port is not None, "it listens at " + address, line)
    if address != "0":
        process.kill()
        process.wait()
with socket.create_connection(("127.0.0.1", int(port.group(1)))) as client:
    client.sendall(b"$?#3f")
    answer = b""
    while b"#" not in answer:
        answer += client.recv(100)
verdict(answer.startswith(b"+$T05thread:"), "a client on a port is served",
        answer)
verdict(process.wait(timeout=60) == 0, "one client, and it ends")

for words, text in [(["--listen", "nowhere:x"], "not HOST:PORT"),
                    (["--listen", "localhost:99999"], "not HOST:PORT"),
                    (["--listen", "h" * 256 + ":1"], "not HOST:PORT"),
                    (["-o", "x"], "-o is not for 'etm gdb'"),
                    (["--format", "jsonl"], "--format is not for 'etm gdb'")]:
    run = subprocess.run([etm, "gdb", m3, *words], stdin=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    verdict(run.returncode == 2 and text in run.stderr.decode(),
            "wrong usage: " + " ".join(words), run)
run = subprocess.run([etm, "gdb", "-"], stdin=subprocess.DEVNULL,
                     stderr=subprocess.PIPE)
verdict(run.returncode == 2, "the capture and the client are not both - ", run)

verdict.end()
