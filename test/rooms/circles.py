#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of a room call each other in one direction.

    circles.py SOURCE_ROOT BUILD_ROOT

Which object file uses a symbol of which other one is read with nm. Files that
reach each other both ways are a circle, which is an error.
"""
import os
import subprocess
import sys


def sources(root):
    """Object name -> path below src, for each room."""
    found = {}
    top = os.path.join(root, 'src')
    for folder, _, files in os.walk(top):
        for name in files:
            if not name.endswith('.c'):
                continue
            path = os.path.relpath(os.path.join(folder, name), top)
            room, _, rest = path.partition('/')
            found[room, rest.replace('/', '_') + '.o'] = path
            found['', 'src_' + path.replace('/', '_') + '.o'] = path
    return found


def objects(root, build):
    """Path below src -> object file."""
    names, found = sources(root), {}
    for folder, _, files in os.walk(build):
        parts = os.path.relpath(folder, build).split('/')
        if parts[0] == 'src' and len(parts) > 2:
            room = parts[1]
        elif parts[0] == 'etm.p':
            room = ''
        else:
            continue
        for name in files:
            path = names.get((room, name))
            if path is not None:
                found.setdefault(path, os.path.join(folder, name))
    return found


def uses(found):
    """Path -> paths whose symbols it uses."""
    owner, wanted = {}, {}
    for path, obj in found.items():
        out = subprocess.run(['nm', obj], check=True, capture_output=True,
                             text=True).stdout
        wanted[path] = set()
        for line in out.splitlines():
            fields = line.split()
            if len(fields) == 2 and fields[0] == 'U':
                wanted[path].add(fields[1])
            elif len(fields) == 3 and fields[1] in 'TDBR':
                owner[fields[2]] = path
    return {path: {owner[s] for s in names if s in owner} - {path}
            for path, names in wanted.items()}


def reach(graph, start):
    """All that can be reached from a file."""
    seen, todo = set(), list(graph[start])
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo.extend(graph[path])
    return seen


def circles(graph):
    far = {path: reach(graph, path) for path in graph}
    return {frozenset(q for q in far[p] if p in far[q])
            for p in graph if p in far[p]}


def main():
    root, build = sys.argv[1:]
    found = objects(root, build)
    if not found:
        sys.exit('circles: no object files below ' + build)
    now = circles(uses(found))
    for circle in sorted(now, key=sorted):
        print('call each other in a circle:', *sorted(circle))
    print(len(found), 'files,', len(now), 'circles')
    sys.exit(len(now) != 0)


main()
