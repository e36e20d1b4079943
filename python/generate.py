#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the declarations of the public headers for ctypes.

    generate.py [--check] COMPILER... -- HEADER... > etm/_declarations.py

The headers are read as the C compiler sees them: enumerations, structs, types
of functions, and functions. What cannot be read is an error, so that the module
cannot drift from the headers. With --check, a C program that prints the size of
each struct and the place of each member is written instead; the test compares
them with those that ctypes has.
"""
import re
import subprocess
import sys

TOKEN = re.compile(r'\s*(?:([A-Za-z_]\w*)|(0[xX][0-9a-fA-F]+|\d+)[uUlL]*|(<<|[^\s]))')

BASIC = {
    'void': 'None', 'bool': 'c_bool', '_Bool': 'c_bool', 'char': 'c_char',
    'int': 'c_int', 'unsigned': 'c_uint', 'size_t': 'c_size_t',
    'uint8_t': 'c_uint8', 'uint16_t': 'c_uint16', 'uint32_t': 'c_uint32',
    'uint64_t': 'c_uint64', 'int64_t': 'c_int64',
}


class Headers:
    def __init__(self, text):
        self.tokens = [next(t for t in match if t)
                       for match in TOKEN.findall(text)]
        self.at = 0
        self.constants = {}   # name -> value
        self.enums = {}       # name -> {constant: value}
        self.structs = {}     # name -> [(member, type)]; None: opaque
        self.functions = {}   # name -> (result, [arguments])
        self.callbacks = {}   # name -> (result, [arguments])
        while self.at < len(self.tokens):
            self.declaration()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def take(self, *wanted):
        token = self.peek()
        if wanted and token not in wanted:
            near = ' '.join(self.tokens[max(0, self.at - 12):self.at + 4])
            sys.exit(f'generate: {wanted[0]!r} expected at: {near}')
        self.at += 1
        return token

    def skip(self, begin, end):
        """From an opening bracket to behind its closing one."""
        depth = 0
        while True:
            token = self.take()
            depth += (token == begin) - (token == end)
            if depth == 0:
                return

    def value(self):
        """A constant expression: A << B, -A, (A), A | B, names."""
        words = []
        depth = 0
        while depth > 0 or self.peek() not in (',', '}', ']'):
            token = self.take()
            depth += (token == '(') - (token == ')')
            words.append(str(self.constants.get(token, token)))
        return int(eval(' '.join(words), {'__builtins__': {}}))

    def enum(self):
        name = self.take() if self.peek() != '{' else None
        if self.peek() == '{':
            self.take('{')
            found, value = {}, 0
            while self.peek() != '}':
                constant = self.take()
                if self.peek() == '=':
                    self.take('=')
                    value = self.value()
                found[constant] = self.constants[constant] = value
                value += 1
                if self.peek() == ',':
                    self.take(',')
            self.take('}')
            if name is not None:
                self.enums[name] = found
        return 'c_int'

    def record(self, kind):
        """A struct or a union; one without a name is a class of its own."""
        name = self.take() if self.peek() != '{' else None
        if self.peek() == '{':
            self.take('{')
            members = []
            while self.peek() != '}':
                base = self.base()
                while True:
                    member, kind_of = self.declarator(base)
                    members.append((member, kind_of))
                    if self.take(',', ';') == ';':
                        break
            self.take('}')
            if name is None:
                return (kind, members)
            self.structs[name] = members
        elif name not in self.structs:
            self.structs.setdefault(name, None)
        return name

    def base(self):
        """The type before the declarators."""
        found = None
        while True:
            token = self.peek()
            if token in ('const', 'extern', 'inline', 'volatile'):
                self.take()
            elif token == 'enum':
                self.take()
                found = self.enum()
            elif token in ('struct', 'union'):
                self.take()
                found = self.record(token)
            elif token in BASIC and found is None:
                found = BASIC[self.take()]
            elif token in self.callbacks and found is None:
                found = ('callback', self.take())
            elif token == 'int' and found == 'c_uint': # unsigned int
                self.take()
            else:
                if found is None:
                    self.take('a type')
                return found

    def declarator(self, kind):
        """A name and its type: pointers, arrays, pointers to functions."""
        while self.peek() in ('*', 'const'):
            if self.take() == '*':
                # a callback type is a pointer already
                if not (isinstance(kind, tuple) and kind[0] == 'callback'):
                    kind = ('pointer', kind)
        if self.peek() == '(': # (*name)(arguments)
            self.take('(')
            self.take('*')
            name = self.take()
            self.take(')')
            return name, ('function', kind, self.arguments())
        name = self.take() if re.match(r'[A-Za-z_]', self.peek()) else ''
        sizes = []
        while self.peek() == '[':
            self.take('[')
            sizes.append(self.value() if self.peek() != ']' else None)
            self.take(']')
        for size in reversed(sizes):
            kind = ('array', kind, size)
        return name, kind

    def arguments(self):
        self.take('(')
        found = []
        while self.peek() != ')':
            base = self.base()
            _, kind = self.declarator(base)
            if kind != 'None':
                # an array as an argument is a pointer
                found.append(('pointer', kind[1])
                             if kind[0] == 'array' else kind)
            if self.peek() == ',':
                self.take(',')
        self.take(')')
        return found

    def declaration(self):
        if self.peek() == 'static': # a function with a body
            while self.peek() != '{':
                self.take()
            self.skip('{', '}')
            return
        is_type = self.peek() == 'typedef'
        if is_type:
            self.take()
        base = self.base()
        if self.peek() == ';':
            self.take(';')
            return
        name, kind = self.declarator(base)
        where = self.callbacks if is_type else self.functions
        where[name] = (kind, self.arguments())
        self.take(';')


class Writer:
    def __init__(self, headers):
        self.headers = headers
        self.lines = []
        self.written = set()

    def name(self, kind):
        """A type as Python."""
        if isinstance(kind, str):
            return kind
        if kind[0] == 'pointer':
            to = kind[1]
            if to == 'None':
                return 'c_void_p'
            if to == 'c_char':
                return 'c_char_p'
            if isinstance(to, str) and to.startswith('etm_') and \
                    self.headers.structs[to] is None:
                return 'c_void_p' # opaque
            return f'POINTER({self.name(to)})'
        if kind[0] == 'array':
            return f'({self.name(kind[1])} * {kind[2]})'
        if kind[0] == 'callback':
            return kind[1]
        if kind[0] == 'function':
            return self.function(kind[1], kind[2])
        sys.exit(f'generate: no such type: {kind}')

    def function(self, result, arguments):
        return 'CFUNCTYPE(' + ', '.join(
            self.name(k) for k in [result] + arguments) + ')'

    def needs(self, kind):
        """Structs that must be there before one that holds this."""
        if isinstance(kind, str):
            return [kind] if kind.startswith('etm_') else []
        if kind[0] == 'array':
            return self.needs(kind[1])
        if kind[0] in ('struct', 'union'):
            return [n for _, k in kind[1] for n in self.needs(k)]
        return []

    def parts(self, name, members):
        """Classes for members without a name of their own; the members."""
        out = []
        for member, kind in members:
            if isinstance(kind, tuple) and kind[0] in ('struct', 'union'):
                part = f'{name}_{member}'
                inner = self.parts(part, kind[1])
                base = 'Structure' if kind[0] == 'struct' else 'ctypes.Union'
                self.lines.append(f'class {part}({base}):\n    _fields_ = [')
                self.lines += [f'        ({m!r}, {k}),' for m, k in inner]
                self.lines.append('    ]\n\n')
                out.append((member, part))
            else:
                out.append((member, self.name(kind)))
        return out

    def struct(self, name):
        members = self.headers.structs[name]
        if name in self.written or members is None:
            return
        self.written.add(name)
        for _, kind in members:
            for other in self.needs(kind):
                self.struct(other)
        fields = self.parts(name, members)
        self.lines.append(f'{name}._fields_ = [')
        self.lines += [f'    ({m!r}, {k}),' for m, k in fields]
        self.lines.append(']\n')

    def elements(self):
        """A class for each kind of element, with the members of its part."""
        out = self.lines
        parts = dict(dict(self.headers.structs['etm_element'])['u'][1])
        table = []
        for constant, number in self.headers.enums['etm_element_kind'].items():
            kind = constant.removeprefix('ETM_ELEMENT_')
            members = parts[kind.lower()][1] if kind.lower() in parts else []
            name = ''.join(w.capitalize() for w in kind.split('_')) + 'Element'
            out.append(f'\nclass {name}(NamedTuple):\n'
                       f'    """{kind}: doc/elements.md"""\n'
                       '    offset: int\n    source: int\n'
                       '    since: Optional[int]')
            out += [f'    {m}: {"bool" if k == "c_bool" else "int"}'
                    for m, k in members]
            out.append(f'    kind = ElementKind.{kind}\n')
            part = f'e.u.{kind.lower()}'
            out.append(f'\ndef _{name}(e):')
            if members:
                out.append(f'    p = {part}')
            out.append(f'    return {name}(e.offset, e.source, '
                       'e.since if e.since_known else None'
                       + ''.join(f', p.{m}' for m, _ in members) + ')\n')
            table.append((number, name))
        out.append('\nElement = typing.Union[' + ', '.join(n for _, n in table)
                   + ']\nELEMENTS = [' + ', '.join(f'_{n}' for _, n in table)
                   + ']\n')

    def write(self):
        h = self.headers
        out = self.lines
        out.append('"""Written by generate.py from the public headers."""\n'
                   'import ctypes\n'
                   'import typing\n'
                   'from ctypes import *  # noqa: F403\n'
                   'from enum import IntEnum\n'
                   'from typing import NamedTuple, Optional\n')
        for name, found in h.enums.items():
            prefix = common_prefix(found)
            out.append(f'\nclass {camel(name)}(IntEnum):')
            for constant, value in found.items():
                short = constant[len(prefix):]
                if not re.match(r'[A-Z]', short):
                    short = '_' + short
                out.append(f'    {short} = {value}')
            out.append('')
        for name, members in h.structs.items():
            if members is not None:
                out.append(f'\nclass {name}(Structure):\n    pass\n')
        out.append('')
        for name, (result, arguments) in h.callbacks.items():
            out.append(f'{name} = {self.function(result, arguments)}')
        out.append('')
        for name in h.structs:
            self.struct(name)
        self.elements()
        out.append('\nSTRUCTS = {')
        out += [f'    {n!r}: {n},' for n, m in h.structs.items()
                if m is not None]
        out.append('}\n\n# Function -> (result, arguments)\nFUNCTIONS = {')
        for name, (result, arguments) in sorted(h.functions.items()):
            out.append(f'    {name!r}: ({self.name(result)}, ['
                       + ', '.join(self.name(a) for a in arguments) + ']),')
        out.append('}')
        return '\n'.join(out) + '\n'


def common_prefix(names):
    """ETM_ELEMENT_ of ETM_ELEMENT_RANGE, ETM_ELEMENT_INSN ..."""
    words = [n.split('_') for n in names]
    n = 0
    while all(len(w) > n + 1 and w[n] == words[0][n] for w in words):
        n += 1
    return '_'.join(words[0][:n]) + '_' if n else ''


def camel(name):
    """etm_element_kind -> ElementKind"""
    return ''.join(w.capitalize() for w in name.split('_')[1:])


def flat(prefix, members):
    """Member designators of a struct, those inside its parts too."""
    for member, kind in members:
        name = prefix + member
        yield name
        if isinstance(kind, tuple) and kind[0] in ('struct', 'union'):
            yield from flat(name + '.', kind[1])


def check(headers, names):
    lines = [f'#include <etm/{n}>' for n in names]
    lines += ['#include <stddef.h>', '#include <stdio.h>',
              'int main(void)', '{']
    for name, members in headers.structs.items():
        if members is None:
            continue
        lines.append(f'    printf("{name} %zu\\n", sizeof(struct {name}));')
        for member in flat('', members):
            lines.append(f'    printf("{name} {member} %zu %zu\\n", '
                         f'offsetof(struct {name}, {member}), '
                         f'sizeof(((struct {name} *)NULL)->{member}));')
    return '\n'.join(lines + ['    return 0;', '}', ''])


def main():
    arguments = sys.argv[1:]
    checking = arguments[0] == '--check'
    split = arguments.index('--')
    compiler = arguments[1 if checking else 0:split]
    names = [n.rsplit('etm/', 1)[1] for n in arguments[split + 1:]]
    text = subprocess.run(
        compiler + ['-E', '-P', '-x', 'c', '-'], check=True,
        capture_output=True, text=True,
        # of the system's headers only the names of their types are needed
        input=''.join(f'#include <etm/{n}>\n' for n in names)).stdout
    begin = text.index('enum etm_')
    headers = Headers(text[begin:])
    sys.stdout.write(check(headers, names) if checking
                     else Writer(headers).write())


main()
