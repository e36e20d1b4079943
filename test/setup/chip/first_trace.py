#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of doc/first-trace.md can be run as they stand: in place of a
chip, etm record makes the trace that it would send with the setup of the
script. Speaks TAP.

    first_trace.py ETM PAGE FIRMWARE
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

etm, page, firmware = (os.path.abspath(path) for path in sys.argv[1:4])

ROM_TABLE = '''\
\t\tComponent base address 0xe0040000
\t\tPart is 0x9a1, Cortex-M4 TPIU (Trace Port Interface Unit)
\t\tType is 0x11, Trace Sink, Port
\t\tComponent base address 0xe0041000
\t\tPart is 0x925, Cortex-M4 ETM (Embedded Trace)
\t\tType is 0x13, Trace Source, Processor
'''


def commands():
    """Those of etm, in the order of the page."""
    text = re.sub(r'\\\n\s*', '', open(page, encoding='utf-8').read())
    return [shlex.split(line)[1:]
            for line in re.findall(r'^    \$ (etm .*)$', text, re.M)]


def pins(data):
    """Four data pins and a clock, of which each edge has a nibble, the low one
    of a byte first, as a logic analyser of 24 MHz sees them."""
    lines = ['$timescale 1 ns $end', '$scope module pins $end']
    lines += ['$var wire 1 %c D%d $end' % (33 + i, i) for i in range(5)]
    lines += ['$upscope $end', '$enddefinitions $end']
    at, clock = 0, 0
    for byte in data:
        for nibble in (byte & 15, byte >> 4):
            lines.append('#%d' % at)
            lines += ['%d%c' % (nibble >> i & 1, 33 + i) for i in range(4)]
            clock ^= 1
            lines += ['#%d' % (at + 125), '%d%c' % (clock, 37)]
            at += 250
    return ('\n'.join(lines) + '\n').encode()


def capture(command, folder):
    """The file that the command reads, by the script that it names."""
    name = command[1]
    if os.path.exists(os.path.join(folder, name)):
        return None
    option = dict(zip(command, command[1:]))
    framing = 'coresight' if name == 'etb.bin' else 'tpiu'
    done = subprocess.run([etm, 'record', 'firmware.elf', '--core',
                           option['--core'], '--setup', option['--dump'],
                           '--framing', framing, '-o', 'recorded'], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr
    data = open(os.path.join(folder, 'recorded', 'cstrace.bin'), 'rb').read()
    with open(os.path.join(folder, name), 'wb') as out:
        out.write(pins(data) if name == 'pins.vcd' else data)
    shutil.rmtree(os.path.join(folder, 'recorded'))
    return None


def refused(command, folder):
    """Of a server there is none here: only that may be wrong."""
    done = subprocess.run([etm, *(word for word in command
                                  if word != '--reconnect')], cwd=folder,
                          capture_output=True, text=True)
    return None if 'refused' in done.stderr else done.stderr or 'no error'


def run(command, folder):
    if command[1].startswith('tcp:'):
        return refused(command, folder)
    if command[0] in ('decode', 'timeline', 'profile'):
        wrong = capture(command, folder)
        if wrong:
            return wrong
    done = subprocess.run([etm, *command], cwd=folder, capture_output=True,
                          text=True)
    if done.returncode != 0:
        return done.stderr
    if '-o' in command:
        name = os.path.join(folder, command[command.index('-o') + 1])
        if not os.path.exists(name) or os.path.getsize(name) == 0:
            return 'nothing is written to ' + name
    if 'assumed' in done.stderr:
        return done.stderr
    if command[0] == 'decode' and ('<main>' not in done.stdout or
                                   'lost' in done.stdout):
        return done.stdout[:500]
    if command[0] == 'profile' and 'work_first' not in done.stdout:
        return done.stdout[:500]
    return None


def main():
    number, decoded = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(firmware, os.path.join(folder, 'firmware.elf'))
        with open(os.path.join(folder, 'rom.txt'), 'w') as out:
            out.write(ROM_TABLE)
        for command in commands():
            number += 1
            wrong = run(command, folder)
            decoded += command[0] == 'decode'
            for line in (wrong or '').splitlines():
                print('#', line)
            print('%sok %d - etm %s' % ('not ' if wrong else '', number,
                                        ' '.join(command).replace('#', '')))
    number += 1
    print('%sok %d - the_page_decodes_each_kind_of_capture' %
          ('' if decoded >= 3 else 'not ', number))
    print('1..%d' % number)


main()
