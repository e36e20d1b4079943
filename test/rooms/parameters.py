#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No function of the flow has more than five parameters.

    parameters.py SOURCE_ROOT
"""
import os
import re
import sys

MOST = 5
HEAD = re.compile(r'^[a-z][\w \*\n]*?\b(\w+(?:\(\w+\))?)'
                  r'\(([^;{}()]*)\)\s*[;{]', re.M)


def functions(text):
    """Name and number of parameters of each function declared or defined."""
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return [(m.group(1), m.group(2).count(',') + 1)
            for m in HEAD.finditer(text)]


def main():
    seen, bad = 0, False
    assert functions('static int f(int a, int b)\n{\n') == [('f', 2)]
    for folder, _, files in os.walk(os.path.join(sys.argv[1], 'src/flow')):
        for name in sorted(files):
            if not name.endswith(('.c', '.h', '.inc')):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as file:
                found = functions(file.read())
            seen += len(found)
            for function, n in found:
                if n > MOST:
                    print(f'{name}: {function}() has {n} parameters')
                    bad = True
    print(seen, 'functions')
    sys.exit(bad or seen < 300)


main()
