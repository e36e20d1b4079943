#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module against the command and the C compiler. What needs NumPy is
skipped where there is none."""
import ctypes
import json
import os
import subprocess
import tempfile
import threading
import unittest

import etm
from etm import _declarations as declarations
from etm import _native

try:
    import numpy
except ImportError:
    numpy = None

DEMO = os.path.join(os.environ['SOURCE'], 'demo')
M3, A9 = os.path.join(DEMO, 'cortex-m3'), os.path.join(DEMO, 'cortex-a9')


def command(*arguments):
    return subprocess.run([os.environ['ETM'], *arguments], check=True,
                          capture_output=True, text=True).stdout


def decoded(capture, *arguments):
    return [json.loads(line) for line in
            command('decode', capture, '--format', 'jsonl',
                    *arguments).splitlines()]


class Declarations(unittest.TestCase):
    def test_structs_are_laid_out_as_the_compiler_does(self):
        n = 0
        lines = subprocess.run([os.environ['LAYOUT']], check=True,
                               capture_output=True, text=True).stdout
        for line in lines.splitlines():
            name, *rest = line.split()
            struct = declarations.STRUCTS[name]
            n += 1
            if len(rest) == 1:
                self.assertEqual(ctypes.sizeof(struct), int(rest[0]), name)
                continue
            at = 0
            for part in rest[0].split('.'):
                field = getattr(struct, part)
                at += field.offset
                struct = dict(struct._fields_)[part]
            self.assertEqual((at, field.size), (int(rest[1]), int(rest[2])),
                             line)
        self.assertGreater(n, 700)

    def test_all_functions_are_there(self):
        for name in declarations.FUNCTIONS:
            self.assertTrue(hasattr(_native.lib, name), name)
        self.assertGreater(len(declarations.FUNCTIONS), 190)
        with self.assertRaises(AttributeError):
            _native.lib.etm_frobnicate

    def test_names_of_values_are_those_of_the_library(self):
        for kind in etm.ElementKind:
            name = _native.lib.etm_element_kind_name(kind).decode()
            self.assertEqual(kind.name.lower(), name)
            one = declarations.ELEMENTS[kind](declarations.etm_element())
            self.assertEqual(one.kind, kind)

    def test_version_is_that_of_the_command(self):
        self.assertEqual('etm ' + etm.__version__,
                         command('--version').strip())


class Captures(unittest.TestCase):
    def test_elements_are_those_of_the_command(self):
        for path in (M3, A9):
            with etm.open(path) as capture:
                for level in ('ranges', 'instructions'):
                    want = decoded(path, '--level', level)
                    got = list(capture.sources[0].elements(level))
                    self.assertEqual(len(got), len(want))
                    for element, line in zip(got, want):
                        self.assertEqual(element.kind.name.lower(),
                                         line['k'])
                        self.assertEqual(element.offset, line['off'])
                        if element.kind == etm.ElementKind.RANGE:
                            self.assertEqual(element.start,
                                             int(line['start'], 16))
                            self.assertEqual(element.n, line['n'])

    def test_a_part_of_a_capture(self):
        with etm.open(M3) as capture:
            source = capture.sources[0]
            whole = sum(1 for _ in source.elements())
            point = source.points()[-1]
            part = list(source.elements(begin=point.position))
            self.assertTrue(0 < len(part) < whole / 4)
            self.assertEqual(part[-1].kind, etm.ElementKind.END)

    def test_sources_and_buffers_are_described(self):
        with etm.open(A9) as capture:
            source = capture.source('PTM_0')
            self.assertIs(capture.source(source.id), source)
            self.assertEqual(source.protocol, etm.Protocol.PFT)
            self.assertEqual(source.title, 'PFT 1.0')
            self.assertIn('ETMCR', source.registers)
            self.assertIsNone(source.why_not)
            self.assertEqual(capture.buffers[0].framing,
                             etm.Framing.CORESIGHT)
            with self.assertRaises(KeyError):
                capture.source('ETM_7')

    def test_raw_files_take_the_same_options_as_the_command(self):
        raw = os.path.join(M3, 'cstrace.bin')
        image = os.path.join(M3, 'sensor.elf')
        registers = {'ETMCR': 0x800, 'ETMIDR': 0x4114f240}
        with etm.open(M3) as capture, \
                etm.open(raw, framing='coresight', images=[image],
                         registers_of=registers) as same:
            self.assertEqual([e[3:] for e in capture.sources[0].elements()],
                             [e[3:] for e in same.sources[0].elements()])
        for wrong in ({'framing': 'x'}, {'protocol': 'x'}, {'profile': 'x'}):
            with self.assertRaises(ValueError):
                etm.open(raw, **wrong)

    def test_symbols_lines_and_code(self):
        with etm.open(M3) as capture:
            source = capture.sources[0]
            names = [f.name for f in source.functions()]
            self.assertIn('quick_sort', names)
            sort = next(f for f in source.functions()
                        if f.name == 'quick_sort')
            self.assertEqual(source.symbol(sort.address + 2),
                             etm.Symbol('quick_sort', 2, sort.size))
            self.assertTrue(source.line(sort.address).file.endswith('.c'))
            self.assertEqual(len(source.read(sort.address, 4)), 4)
            self.assertIsNone(source.symbol(0x70000000))
            self.assertIsNone(source.line(0x70000000))
            self.assertEqual(source.read(0x70000000, 4), b'')

    def test_counts_are_those_of_the_ranges(self):
        with etm.open(M3) as capture:
            source = capture.sources[0]
            ranges = sum(e.n for e in source.elements()
                         if e.kind == etm.ElementKind.RANGE)
            self.assertEqual(sum(c.n * c.insns for c in source.counts()),
                             ranges)

    def test_an_iteration_can_be_left(self):
        before = threading.active_count()
        with etm.open(M3) as capture:
            for _ in range(50):
                for element in capture.sources[0].elements():
                    if element.kind == etm.ElementKind.RANGE:
                        break
            unused = capture.sources[0].elements()
            next(unused)
            unused.close()
            capture.sources[0].elements() # never begun
        self.assertEqual(threading.active_count(), before)

    def test_iterations_at_the_same_time(self):
        with etm.open(M3) as capture:
            source = capture.sources[0]
            for one, other in zip(source.elements(), source.elements()):
                self.assertEqual(one, other)

    def test_errors_say_what_and_where(self):
        with self.assertRaises(etm.Error) as caught:
            etm.open('/nonexistent')
        self.assertEqual(caught.exception.status, etm.Status.ERR_IO)
        self.assertEqual(caught.exception.source, '/nonexistent')
        self.assertIn('No such file', str(caught.exception))
        with etm.open(M3) as capture:
            with self.assertRaises(etm.Error):
                list(capture.sources[0].elements(begin=500, end=100))
            with self.assertRaises(ValueError):
                list(capture.sources[0].elements('everything'))
        source = capture.sources[0]
        for closed in (lambda: list(source.elements()), source.counts,
                       source.points, source.functions,
                       lambda: source.symbol(0), lambda: source.line(0),
                       lambda: source.read(0, 4),
                       lambda: capture.source('ETM_0')):
            with self.assertRaises(ValueError):
                closed()


@unittest.skipUnless(numpy, 'there is no NumPy')
class Arrays(unittest.TestCase):
    def test_arrays_have_the_elements(self):
        with etm.open(M3) as capture:
            source = capture.sources[0]
            elements = list(source.elements())
            at = instructions = 0
            for array in source.arrays():
                for row in array:
                    element = elements[at]
                    at += 1
                    self.assertEqual(row['kind'], element.kind)
                    self.assertEqual(row['offset'], element.offset)
                    if element.kind == etm.ElementKind.RANGE:
                        self.assertEqual(row['range_start'], element.start)
                        self.assertEqual(row['range_n'], element.n)
                ranges = array[array['kind'] == etm.ElementKind.RANGE]
                instructions += int(ranges['range_n'].sum())
            self.assertEqual(at, len(elements))
            self.assertEqual(instructions, sum(
                e.n for e in elements if e.kind == etm.ElementKind.RANGE))

    def test_arrays_are_views(self):
        with etm.open(M3) as capture:
            for array in capture.sources[0].arrays():
                self.assertFalse(array.flags.owndata)
                self.assertFalse(array.flags.writeable)
                self.assertEqual(array.dtype, etm.dtype())
                self.assertEqual(array.itemsize,
                                 ctypes.sizeof(declarations.etm_element))


class Setups(unittest.TestCase):
    def test_configure_gives_what_the_command_gives(self):
        setup = etm.configure('cortex-a9', include=[(0x8000, 0x9000)],
                              cycle_accurate=True)
        want = command('configure', '--core', 'cortex-a9', '--range',
                       '0x8000-0x9000', '--cycle-accurate')
        values = [line for line in want.splitlines() if '=' in line]
        self.assertEqual(len(setup.registers), len(values))
        for line in values:
            name, value = line.split('#')[0].split('=')
            self.assertEqual(setup.registers[name.split('(')[0].strip()],
                             int(value, 16), line)
        self.assertIn('mww', setup.text('openocd'))

    def test_what_cannot_be_is_refused(self):
        for error, arguments in (
                (ValueError, {'core': 'cortex-x'}),
                (ValueError, {'core': 'cortex-m3', 'data': 'all'}),
                (TypeError, {'core': 'cortex-m3', 'frobnicate': 1}),
                (etm.Error, {'core': 'cortex-m3', 'data': 'value'})):
            with self.assertRaises(error):
                etm.configure(**arguments)
        with self.assertRaises(ValueError):
            etm.configure('cortex-m3').text('fortran')

    def test_cores_are_those_of_the_command(self):
        listed = command('configure', '--core', 'list').splitlines()
        self.assertEqual([c.name for c in etm.cores()],
                         [line.split()[0] for line in listed])

    def test_what_is_recorded_is_decoded(self):
        log = ('version 1\nplace 00008000\n'
               '00008000 e3a00003\n00008004 e2500001\n00008008 1afffffd\n'
               '00008004 e2500001\n00008008 1afffffd\n'
               '00008004 e2500001\n00008008 1afffffd fail\n'
               '0000800c eafffffe\n0000800c eafffffe\n')
        for core in ('cortex-a9', 'arm7tdmi', 'arm1136jf-s'):
            with tempfile.TemporaryDirectory() as folder:
                etm.record(log, core, folder)
                with etm.open(folder) as capture:
                    elements = list(capture.sources[0].elements())
                kinds = [e.kind for e in elements]
                self.assertEqual(kinds[0], etm.ElementKind.TRACE_ON, core)
                self.assertEqual(kinds[-1], etm.ElementKind.END, core)
                self.assertNotIn(etm.ElementKind.LOST, kinds, core)

    def test_a_log_that_is_wrong_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            inside = os.path.join(folder, 'snapshot')
            with self.assertRaises(etm.Error) as caught:
                etm.record('version 1\nnonsense\n', 'cortex-a9', inside)
            self.assertEqual(caught.exception.line, 2)
            self.assertFalse(os.path.exists(inside))


if __name__ == '__main__':
    unittest.main()
