#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs files of commands and of what they print (test/README.md). Speaks TAP.

    commands.py [--rebase | --wrong] [--only CASE] [--have WORD] ETM NAME=PATH ... FILE.cmd ...

--rebase writes what came out into the files; --wrong: a file is several, each
begun by "%% TEXT", and has to fail with that text. NAME=PATH is a variable of the
commands; in what they print the path is its name again.
"""
import argparse
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

WIDTH = 100
ENDED = "the shell ended here"
MARK = "\x1e\x1d"
HEAD = f"""mark() {{
    status=$?
    printf '\\n{MARK}%s\\n' "$status"
    printf '\\n{MARK}\\n' >&2
    return $status
}}
"""
PLAIN = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]*")
SPECIAL = re.compile(r"(\$|>|!|!!) |\[[0-9]{1,3}\]( |$)|\.\.\.$|.* \((re|glob|esc|no-eol|[0-9]+ times)\)$|.*\s$")


class Wrong(Exception):
    pass


class Command:
    """Its first line in the file, its own lines, and those that it prints."""

    def __init__(self, line):
        self.line, self.text, self.want = line, [], []
        self.joined = False  # one line of output stands behind " => "

    def add(self, text):
        text, self.joined, want = text.partition(" => ")
        self.text.append(text)
        self.want = [want] if self.joined else []

    def lines(self, want):
        """As they stand in a file."""
        lines = [("  > " if i else "  $ ") + text for i, text in enumerate(self.text)]
        if len(want) == 1 and len(lines[-1] + want[0]) < WIDTH - 4 and \
                not re.search(r"^  > \w+$", lines[-1]):
            return lines[:-1] + [f"{lines[-1]} => {want[0]}"]
        return lines + ["  " + line if line else "" for line in want]


class Case:
    def __init__(self, line, name):
        self.line, self.name = line, name
        self.commands, self.needs = [], []


def parse(path, lines, first):
    """The cases of a file; the first one is what stands before them."""
    cases = [Case(first, "")]
    blank = 0
    for at, line in enumerate(lines, first):
        case = cases[-1]
        command = case.commands[-1] if case.commands else None
        if not line:
            blank += 1
            continue
        if line.startswith("  $ "):
            case.commands.append(Command(at))
            case.commands[-1].add(line[4:])
        elif (line + " ").startswith("  > ") and command and not command.want and not blank:
            command.add(line[4:])
        elif line.startswith("  ") and command and not command.joined:
            command.want += [""] * blank + [line[2:]]
        elif line.startswith("== "):
            cases.append(Case(at, line[3:]))
        elif line.startswith("need "):
            case.needs += line.split()[1:]
        elif not line.startswith("#"):
            raise Wrong(f"{path}:{at}: neither a case, a command nor what it prints")
        blank = 0
    if len(cases) < 2:
        raise Wrong(f"{path}: no cases")
    return cases


def shown(line, special=True):
    """A line as it stands in a file."""
    if PLAIN.fullmatch(line) and not (special and SPECIAL.match(line)):
        return line
    data = line.encode(errors="surrogateescape")
    text = "".join(chr(b) if 0x20 <= b < 0x7f and b != 0x5c else f"\\x{b:02x}"
                   for b in data)
    if special and re.match(r"[$>![]|\.\.\.$", text):
        text = f"\\x{data[0]:02x}" + text[1:]
    return text + " (esc)"


def error(command, line):
    """A line of standard error: what etm says, or after "!!" what others do."""
    line = shown(line, False)
    if not line.startswith("etm: "):
        return "!! " + line
    if found := re.search(r" \(see 'etm (\w+) --help'\)$", line):
        if f"etm {found[1]}" in command:
            line = line[:found.start()] + " (usage)"
    return line[5:]


def printed(command, out, err, status):
    """Lines of standard output, then "[STATUS] " and "! " before standard error."""
    lines = [shown(line) for line in out.split("\n")]
    if lines.pop() != "":
        lines.append(shown(out.split("\n")[-1], False) + " (no-eol)")
    errors = [error(command, line) for line in err.split("\n")]
    if err.endswith("\n") or not err:
        errors.pop()
    if lines and lines[-1] == "":  # seen, though blank lines end a command
        lines[-1] = " (esc)"
    if status != "0":
        first = [f" {errors.pop(0)}"] if errors else [""]
        lines.append(f"[{status}]" + first[0])
    return lines + [line if line.startswith("!! ") else "! " + line for line in errors]


def times(line):
    """A line and how often it comes."""
    found = re.fullmatch(r"(.*) \(([0-9]+) times\)", line)
    return [found[1]] * int(found[2]) if found else [line]


def folded(lines):
    """What is there three times or more, in one line."""
    out = []
    for line, group in itertools.groupby(lines):
        n = len(list(group))
        out += [f"{line} ({n} times)"] if n > 2 and line and line != "..." else [line] * n
    return out


def line_matches(want, line):
    if want == line:
        return True
    if want.endswith(" (re)"):
        return re.fullmatch(want[:-5], line) is not None
    if want.endswith(" (glob)"):
        pattern = re.escape(want[:-7]).replace(r"\*", ".*").replace(r"\?", ".")
        return re.fullmatch(pattern, line) is not None
    return False


def difference(want, got):
    """None, or how many lines of both are alike."""
    ends = {0}  # how many of the lines that came may be matched
    for i, pattern in ((i, p) for i, line in enumerate(want) for p in times(line)):
        if pattern == "...":
            last = next((n for n in range(min(ends), len(got))
                         if re.match(r"!!? |\[[0-9]{1,3}\]( |$)", got[n])), len(got))
            after = set(range(min(ends), last + 1))
        else:
            after = {n + 1 for n in ends if n < len(got) and
                     line_matches(pattern, got[n])}
        if not after:
            return i, max(ends)
        ends = after
    return None if len(got) in ends else (len(want), max(ends))


def rebased(want, got):
    """What came, with the patterns that still are true of a line."""
    at, lines = 0, list(got)
    for pattern in (p for p in want if p.endswith((" (re)", " (glob)"))):
        for n in range(at, len(lines)):
            if line_matches(pattern, got[n]):
                lines[n], at = pattern, n + 1
                break
    return folded(lines)


class Runner:
    def __init__(self, args, say):
        self.args, self.say, self.n, self.failed = args, say, 0, 0
        self.scratch = os.path.realpath(tempfile.mkdtemp())
        os.mkdir(f"{self.scratch}/bin")
        os.symlink(os.path.abspath(args.etm), f"{self.scratch}/bin/etm")
        self.env = dict(os.environ, TERM="xterm", ETM_PAGER="cat", LC_ALL="C.UTF-8")
        self.env["PATH"] = f"{self.scratch}/bin:" + self.env["PATH"]
        self.env.pop("NO_COLOR", None)
        self.paths = []
        for word in args.words:
            if not word.endswith(".cmd"):
                name, path = word.split("=", 1)
                self.env[name] = os.path.abspath(path)
                self.paths.append((self.env[name], "$" + name))
        self.paths.sort(key=lambda pair: -len(pair[0]))
        if "ETM_SHARED" in os.environ:
            self.paths.append((os.environ["ETM_SHARED"], "$ETM_SHARED"))

    def missing(self, case):
        for word in case.needs:
            path = os.path.expandvars(word)
            if not (word in self.args.have or shutil.which(word) or
                    "/" in path and os.path.exists(path)):
                return word
        return None

    def run(self, cases):
        """One shell, in which each case has a subshell and a folder of its own."""
        top = tempfile.mkdtemp(dir=self.scratch)
        script = [HEAD, f"cd {top}/start || exit"]
        for i, case in enumerate(cases):
            place = f"{top}/{i}" if i else f"{top}/start"
            os.mkdir(place)
            if i:
                script.append(f"cp -R {top}/start/. {place} && (cd {place} || exit")
            for j, command in enumerate(case.commands):
                name = f"{top}/{i}.{j}"
                with open(name, "w") as f:
                    f.write("\n".join(command.text) + "\n")
                to = ">" if j == 0 else ">>"
                script.append(f"exec {to}{top}/{i}.out 2{to}{top}/{i}.err\n"
                              f". {name}; mark")
            if i:
                script.append(")")
        # A suite that a shell runs in the background inherits an ignored SIGINT.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        subprocess.run(["sh", "-c", "\n".join(script)], env=self.env,
                       stdin=subprocess.DEVNULL, check=False)
        for i, case in enumerate(cases):
            place = f"{top}/{i}" if i else f"{top}/start"
            self.results(case, f"{top}/{i}", [(place, "$PWD")] + self.paths)
        shutil.rmtree(top, ignore_errors=True)

    def results(self, case, files, paths):
        texts = []
        for end in ".out", ".err":
            text = ""
            if os.path.exists(files + end):
                with open(files + end, errors="surrogateescape", newline="") as f:
                    text = f.read()
            for path, name in paths:
                text = text.replace(path, name)
            texts.append(text.split("\n" + MARK))
        out, err = texts
        for j, command in enumerate(case.commands):
            if j + 1 < len(out):
                status = out[j + 1].split("\n", 1)[0]
                body = out[j] if j == 0 else out[j].split("\n", 1)[1]
                errors = err[j] if j == 0 else err[j].split("\n", 1)[1]
                command.got = printed("\n".join(command.text), body, errors, status)
            else:
                command.got = [ENDED] + \
                    [line for line in err[-1].split("\n") if line]

    def verdict(self, path, case):
        """TAP for a case: where the first difference is, and what it is."""
        self.n += 1
        why = self.missing(case)
        if why:
            self.say(f"ok {self.n} - {case.name} # SKIP no {why}")
            return
        for command in case.commands:
            where = difference(command.want, command.got)
            if where is None:
                continue
            wanted, came = where
            line = command.line + len(command.text) + wanted - bool(command.joined)
            self.say(f"# {path}:{line}: of $ {command.text[0]}")
            for sign, lines in ("-", command.want[wanted:]), ("+", command.got[came:]):
                for text in lines[:8]:
                    self.say(f"# {sign} {text}")
            self.say(f"not ok {self.n} - {case.name}")
            self.failed += 1
            return
        self.say(f"ok {self.n} - {case.name}")

    def file(self, path, lines, first=1):
        cases = parse(path, lines, first)
        for case in cases[1:]:
            if not self.args.rebase and not any(c.want for c in case.commands):
                raise Wrong(f"{path}:{case.line}: {case.name} expects nothing")
        if self.args.only:
            cases = cases[:1] + [c for c in cases[1:] if c.name == self.args.only]
        if why := self.missing(cases[0]):
            for case in cases[1:]:
                self.n += 1
                self.say(f"ok {self.n} - {case.name} # SKIP no {why}")
            return
        cases[0].name = "what stands before the first case"
        self.run([c for c in cases if not self.missing(c)])
        if self.args.rebase:
            self.rewrite(path, lines, cases)
            return
        for case in cases if cases[0].commands else cases[1:]:
            self.verdict(path, case)

    def rewrite(self, path, lines, cases):
        lines = list(lines)
        for command in [c for case in cases for c in case.commands
                        if not self.missing(case)][::-1]:
            if command.got[0:1] == [ENDED]:
                raise Wrong(f"{path}:{command.line}: {command.got}")
            at = command.line - 1
            end = at + len(command.text) + (0 if command.joined else len(command.want))
            want = command.want
            if difference(want, command.got) is not None:
                want = rebased(want, command.got)
            lines[at:end] = command.lines(want)
        with open(path, "w", errors="surrogateescape") as f:
            f.write("\n".join(lines) + "\n")

    def wrong(self, path, lines):
        starts = [i for i, line in enumerate(lines) if line.startswith("%% ")]
        for at, end in zip(starts, starts[1:] + [len(lines)]):
            report = []
            inner = Runner(self.args, report.append)
            try:
                inner.file(path, lines[at + 1:end], at + 2)
            except Wrong as e:
                report.append(str(e))
                inner.failed = 1
            finally:
                shutil.rmtree(inner.scratch, ignore_errors=True)
            self.n += 1
            right = inner.failed == 1 and lines[at][3:] in "\n".join(report)
            self.failed += not right
            for line in [] if right else report:
                self.say(f"# {line}")
            self.say(f"{'' if right else 'not '}ok {self.n} - {lines[at][3:]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rebase", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--have", action="append", default=[])
    parser.add_argument("etm")
    parser.add_argument("words", nargs="+", metavar="NAME=PATH | FILE.cmd")
    args = parser.parse_intermixed_args()
    runner = Runner(args, print)
    try:
        for path in (w for w in args.words if w.endswith(".cmd")):
            with open(path, errors="surrogateescape") as f:
                lines = f.read().split("\n")
            if lines[-1] == "":
                lines.pop()
            if args.wrong:
                runner.wrong(path, lines)
            else:
                runner.file(path, lines)
    except Wrong as e:
        print(f"Bail out! {e}")
        return 1
    finally:
        shutil.rmtree(runner.scratch, ignore_errors=True)
    if not args.rebase:
        print(f"1..{runner.n}")
    return runner.failed != 0


if __name__ == "__main__":
    sys.exit(main())
