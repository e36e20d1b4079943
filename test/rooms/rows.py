#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which case of the tests shows which row of the conformance lists and of
doc/errata.md. Prints "FILE:CASE ROW", and with --loose those rows that a comment
names where nothing is expected.

    rows.py [--loose] ROOT PATTERN      PATTERN: of a row, 'MC-[A-Z]+-[0-9]+'

A row counts if it stands in a comment

- in or directly above a "== case", or in a scenario of one case alone, that has
  an expectation; of commands, that has something printed;
- in or directly above a C function that is a test, or that a test calls, and in
  which something is asserted, or a table that such a function uses, also as the
  name of one of its rows;
- in or directly above a check of a script.

"CFG-01 to CFG-03" stands for three rows, and so do "CFG-01 to 03",
"CFG-01 to -03" and "CFG-01, -02, -03".
"""
import collections
import os
import re
import sys

EXPECTED = re.compile(r"^\s*(expect|refused|unsupported|cycles)\b|(^| )[|<>]( |$)|=>",
                      re.M)
ASSERTED = re.compile(r"\b(assert_\w+|fail(_msg)?|abort|expect_\w+)\s*\(|"
                      r"return (1|EXIT_FAILURE);")
WORD = re.compile(r"[A-Za-z_]\w*")
TEST = re.compile(r"[A-Z][A-Z_]+\(\s*(\w+)[^;{}]*\)\s*\{")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
NAMED = re.compile(r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"", re.S) # in a row of a table


def rows(text, pattern):
    """The rows that a comment names."""
    text = re.sub(r"[ \t\n*#/]+", " ", text)
    one = re.compile(r"(?<![A-Za-z0-9_-])(?:" + pattern + r")(?![0-9A-Za-z])")
    at = 0
    while match := one.search(text, at):
        at = match.end()
        prefix, last = re.fullmatch(r"(.*?-)([0-9]+)", match[0]).groups()
        yield match[0]
        while True:
            if more := re.match(r" to (?:" + prefix + r"|-)?([0-9]+)", text[at:]):
                first = int(last) + 1
            elif more := re.match(r", -([0-9]+)", text[at:]):
                first = int(more[1])
            else:
                break
            last = more[1]
            for number in range(first, int(last) + 1):
                yield f"{prefix}{number:0{len(last)}}"
            at += more.end()


def comments_of(lines):
    """Also those at the end of a line; "#12" is a number."""
    return "\n".join(line[match.start():] for line in lines
                     if (match := re.search(r"^\s*#|\s# ", line)))


def data_cases(text):
    """(case, comment, is anything expected) of a file of cases or a scenario."""
    lines = text.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("== ")]
    if not heads:
        yield "", comments_of(lines), bool(EXPECTED.search(text))
        return
    starts = []
    for i in heads: # a comment directly above belongs to the case
        while i > 0 and lines[i - 1].startswith("#"):
            i -= 1
        starts.append(i)
    yield "", comments_of(lines[:starts[0]]), False
    known = EXPECTED.search(text)
    for head, first, end in zip(heads, starts, starts[1:] + [len(lines)]):
        body = [line for line in lines[head + 1:end] if line.strip()
                and not line.lstrip().startswith("#")]
        expected = EXPECTED.search("\n".join(body)) if known else body
        yield lines[head][3:].strip(), comments_of(lines[first:end]), bool(expected)


def command_cases(text):
    """The same of a file of commands and what they print."""
    printed = re.compile(r"  (?![$>] )|.* => ")
    return data_cases("\n".join(
        line if not line.startswith("  ") else
        "expect" if printed.match(line) else "run" for line in text.splitlines()))


def script_cases(text):
    """(case, comment, is anything checked) of a shell script: by paragraphs."""
    for part in re.split(r"\n\s*\n", text):
        lines = part.splitlines()
        code = [line for line in lines if not line.lstrip().startswith("#")]
        name = re.match(r"(\w+)\(\)", code[0]) if code else None
        yield name[1] if name else "", comments_of(lines), bool(code)


class Entity:
    """A function or a table of a C file, with the comment above it."""

    def __init__(self, path, name, comment, body):
        self.path, self.name, self.comment = path, name, comment
        self.code = COMMENT.sub(" ", body)
        self.words = set(WORD.findall(self.code))
        self.is_function = bool(re.search(r"^\{", self.code, re.M))
        self.asserts = self.is_function and bool(ASSERTED.search(self.code))
        self.tested = False
        # TEST(name), or a macro of a room that is one
        self.is_test = self.is_function and \
            bool(TEST.match(self.code.lstrip()))


def name_of(body):
    code = COMMENT.sub(" ", body)
    if match := TEST.match(code.lstrip()):
        return match[1]
    for form in (r"#\s*define\s+(\w+)", r"^\}\s*(\w+)\s*(?:\[[^=]*\])?\s*=",
                 r"\A[^{(=]*?(\w+)\s*(?:\[[^=]*\])?\s*=", r"(\w+)\s*\("):
        if match := re.search(form, code, re.M):
            return match[1]
    return ""


def c_entities(path, text):
    """Those of a file, and its comments that belong to none."""
    # A top-level piece ends at a line that begins with "}" or is a declaration.
    piece, comment, loose = [], [], []
    in_comment = False
    for line in text.splitlines():
        starts = line.startswith("/*") or line.startswith("//")
        if not piece and (in_comment or starts):
            comment.append(line)
            in_comment = (in_comment or line.startswith("/*")) and "*/" not in line
            continue
        if not piece and not line.strip():
            loose.extend(comment)
            comment = []
            continue
        piece.append(line)
        bare = COMMENT.sub("", line)
        directive = piece[0].startswith("#")
        declared = bare.rstrip().endswith(";") and \
            not any(re.match(r"[{}]|.*[={]\s*$", p) for p in piece[:-1])
        if (directive and not line.endswith("\\")) or declared or \
                (line.startswith("}") and not line.endswith("{")):
            body = "\n".join(piece)
            inner = "\n".join(NAMED.findall(body))
            yield Entity(path, name_of(body), "\n".join(comment) + "\n" + inner, body)
            piece, comment = [], []
    yield Entity(path, "", "\n".join(loose + comment), "")


def c_cases(files):
    """(path, case, comment, is it tested) of all C files together."""
    entities = [e for path, text in files for e in c_entities(path, text)]
    named = collections.defaultdict(list)
    for e in entities:
        if e.name:
            named[e.name].append(e)

    def meant(e, word):
        near = named.get(word, [])
        for same in (lambda o: o.path == e.path,
                     lambda o: os.path.dirname(o.path) == os.path.dirname(e.path),
                     lambda o: True):
            if found := [o for o in near if same(o) and o is not e]:
                return found
        return []

    used = {e: [o for w in e.words if w in named for o in meant(e, w)]
            for e in entities}
    changed = True
    while changed:  # what calls something that asserts, asserts
        changed = False
        for e in entities:
            if e.is_function and not e.asserts and \
                    any(o.asserts for o in used[e]):
                e.asserts = changed = True
    ready = [e for e in entities if e.is_test or
             e.name in ("main", "LLVMFuzzerTestOneInput")]
    while ready:
        e = ready.pop()
        if not e.tested:
            e.tested = True
            ready.extend(used[e])
    users = collections.defaultdict(list)
    for e in entities:
        for o in used[e]:
            users[o].append(e)
    for e in entities:
        asserts = e.asserts
        seen, ready = {e}, [] if e.is_function else list(users[e])
        while ready and not asserts:  # who uses a table
            o = ready.pop()
            if o not in seen and o.name != "main":
                seen.add(o)
                asserts = o.asserts
                ready.extend(users[o])
        yield e.path, e.name, e.comment, e.tested and asserts


def cases(root):
    """(path below test, case, comment, does it count)"""
    c_files = []
    for folder, folders, names in os.walk(os.path.join(root, "test")):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            short = os.path.relpath(path, os.path.join(root, "test"))
            if short.startswith("rooms" + os.sep) or \
                    name in ("meson.build", "README.md"):
                continue
            with open(path, "rb") as f:
                data = f.read()
            if b"\0" in data:
                continue
            text = data.decode(errors="replace")
            if name.endswith((".c", ".h", ".inc")):
                c_files.append((short, text))
            elif name.endswith((".sh", ".py")):
                for case in script_cases(text):
                    yield short, *case
            elif name.endswith(".cmd"):
                for case in command_cases(text):
                    yield short, *case
            elif name.endswith(".scn") or re.search(r"^== ", text, re.M):
                for case in data_cases(text):
                    yield short, *case
    yield from c_cases(c_files)


def main():
    loose = sys.argv[1] == "--loose"
    root, pattern = sys.argv[-2:]
    found = set()
    for path, case, comment, counts in cases(root):
        if counts != loose:
            for row in rows(comment, pattern):
                found.add((path + (":" + case if case else ""), row))
    for where, row in sorted(found):
        print(where, row)


if __name__ == "__main__":
    main()
