# SPDX-License-Identifier: Apache-2.0
"""A client of GDB's remote protocol, for the tests of `etm gdb`."""
import re
import struct
import subprocess


class Remote:
    """A server at the other end of pipes."""

    def __init__(self, etm, *words, acks=False):
        self.server = subprocess.Popen([etm, "gdb", *words],
                                       stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, bufsize=0)
        self.buffer, self.said, self.acks = b"", "", True
        if not acks:
            assert self.ask("QStartNoAckMode") == "OK"
            self.acks = False

    def send(self, text):
        data = text if isinstance(text, bytes) else text.encode("latin-1")
        self.raw(b"$%s#%02x" % (data, sum(data) & 255))

    def raw(self, data):
        self.server.stdin.write(data)

    def receive(self):
        """The next packet; None: the server has gone."""
        while True:
            whole = re.search(rb"\$([^#]*)#[0-9a-f]{2}", self.buffer)
            if whole:
                break
            some = self.server.stdout.read(65536)
            if not some:
                return None
            self.buffer += some
        self.buffer = self.buffer[whole.end():]
        text = re.sub(rb"}(.)", lambda m: bytes([m.group(1)[0] ^ 0x20]),
                      whole.group(1))
        if self.acks:
            self.raw(b"+")
        return text.decode("latin-1")

    def ask(self, text):
        """The answer; what the server says to the user before is added to
        `said`."""
        self.send(text)
        while True:
            answer = self.receive()
            if answer is None or not answer.startswith("O") or answer == "OK":
                return answer
            self.said += bytes.fromhex(answer[1:]).decode()

    def monitor(self, line):
        self.said = ""
        assert self.ask("qRcmd," + line.encode().hex()) == "OK"
        return self.said

    def register(self, number):
        """Its value; None: unavailable."""
        answer = self.ask("p%x" % number)
        if "x" in answer:
            return None
        return struct.unpack("<I", bytes.fromhex(answer))[0]

    def pc(self):
        return self.register(15)

    def word(self, address):
        answer = self.ask("m%x,4" % address)
        if answer.startswith("E") or len(answer) != 8:
            return None
        return struct.unpack("<I", bytes.fromhex(answer))[0]

    def close(self):
        self.server.stdin.close()
        self.server.stdout.close()
        self.server.stderr.close()
        return self.server.wait(timeout=60)


class Verdicts:
    """TAP."""

    def __init__(self):
        self.number = 0

    def __call__(self, good, name, seen=""):
        self.number += 1
        if not good:
            for line in str(seen)[:2000].splitlines():
                print("# " + line)
        print("%s %d - %s" % ("ok" if good else "not ok", self.number, name),
              flush=True)

    def skip(self, name, why):
        self.number += 1
        print("ok %d - %s # SKIP %s" % (self.number, name, why), flush=True)

    def end(self):
        print("1..%d" % self.number)
