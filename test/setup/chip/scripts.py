#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What etm configure writes for whole chips, run in the interpreters of its
languages against a model of the registers. Speaks TAP.

    scripts.py ETM
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import interpreters
from registers import DEMCR, DWT, ETM, ITM, TPIU, TRCENA, Buffer, Model

etm = os.path.abspath(sys.argv[1])
n = 0


def verdict(name, wrong):
    global n
    n += 1
    if wrong == interpreters.MISSING:
        print('ok %d - %s # SKIP there is no such interpreter' % (n, name))
        return
    for line in str(wrong or '').splitlines():
        print('#', line)
    print('%sok %d - %s' % ('not ' if wrong else '', n, name), flush=True)


def configure(path, *arguments):
    done = subprocess.run([etm, 'configure', *arguments, '-o', path], text=True,
                          capture_output=True)
    return None if done.returncode == 0 else done.stderr


RUNS = {'openocd': interpreters.openocd, 'gdb': interpreters.gdb,
        'c': interpreters.c, 'jlink': interpreters.jlink,
        'pyocd': interpreters.pyocd}
SUFFIX = {'openocd': 'x.tcl', 'gdb': 'x.gdb', 'c': 'x.h', 'jlink': 'x.inc',
          'pyocd': 'x.py'}


def run(form, model, folder, arguments):
    """A script in its interpreter; what is wrong with it."""
    name = SUFFIX[form]
    wrong = configure(os.path.join(folder, name), '--format', form, *arguments)
    if wrong:
        return wrong
    return RUNS[form](name, model, folder) or '\n'.join(model.errors) or None


def tpiu(pins):
    return [(TPIU + 0x0f0, ~0, 0), (TPIU + 0x004, ~0, 1 << (pins - 1)),
            (TPIU + 0x304, ~0, 0x102)]


def swo(cycles, formatter):
    return [(TPIU + 0x0f0, ~0, 2), (TPIU + 0x010, ~0, cycles - 1),
            (TPIU + 0x304, ~0, 0x102 if formatter else 0x100)]


# ETMCR without power down and programming bit, ETMTRACEIDR
MACROCELL = [(ETM, 0xc01, 0x800), (ETM + 0x200, ~0, 2), (ETM + 0x020, ~0, 0x6f)]
STM32F4 = [(0x40023830, 0x10, 0x10), (0x40021000, 0x3ff0, 0x2aa0),
           (0x40021008, 0x3ff0, 0x3ff0), (0x40021020, 0xfffff00, 0),
           (0xe0042004, 0xe0, 0xe0)]
STARTS = [(DWT + 0x20, ~0, 0x08000100), (DWT + 0x24, ~0, 0),
          (DWT + 0x28, ~0, 8), (DWT + 0x30, ~0, 0x08000200),
          (DWT + 0x38, ~0, 8), (ETM + 0x1f0, ~0, 0x00020001)]

# What the registers are afterwards, by the manuals: arguments, then address,
# mask, bits.
SETUPS = [
    ('stm32f4_port', '--chip stm32f407 --sink tpiu:4',
     STM32F4 + tpiu(4) + MACROCELL),
    ('stm32f4_two_pins', '--chip STM32F407VG --sink tpiu:2',
     [(0x40021000, 0x3f0, 0x2a0), (0x40021020, 0xfff00, 0),
      (0xe0042004, 0xe0, 0xa0)] + tpiu(2) + MACROCELL),
    ('stm32f4_start_and_stop', '--chip stm32f407 --sink tpiu:4 '
     '--start-at 0x8000100 --stop-at 0x8000200', STM32F4 + tpiu(4) + STARTS),
    ('stm32f4_swo', '--chip stm32f407 --sink swo:2000000 --clock 168000000',
     [(0x40020400, 0xc0, 0x80), (0x40020420, 0xf000, 0),
      (0xe0042004, 0xe0, 0x20)] + swo(84, True) + MACROCELL),
    ('stm32f1_itm', '--chip stm32f103 --sink swo:2250000 --clock 72000000 '
     '--trace itm,exceptions,pc-samples,timestamps',
     [(0x40021018, 1, 1), (0x40010004, 0x07000000, 0x02000000),
      (0xe0042004, 0xe0, 0x20), (ITM + 0xe00, ~0, 0xffffffff),
      (ITM + 0xe80, ~0, 0x0001000f), (DWT, 0x11fff & ~0x1e0, 0x1161f)] +
     swo(32, False)),
    ('stm32f2_port', '--chip stm32f207 --sink tpiu:1',
     [(0x40023830, 0x10, 0x10), (0x40021000, 0xf0, 0xa0),
      (0xe0042004, 0xe0, 0x60)] + tpiu(1) + MACROCELL),
    ('stm32l1_port', '--chip stm32l152 --sink tpiu:4',
     [(0x4002381c, 0x10, 0x10), (0x40021000, 0x3ff0, 0x2aa0)] + tpiu(4)),
    ('stm32l4_port', '--chip stm32l476 --sink tpiu:4',
     [(0x4002104c, 0x10, 0x10), (0x48001000, 0x3ff0, 0x2aa0),
      (0x48001008, 0x3ff0, 0x3ff0), (0x48001020, 0xfffff00, 0)] + tpiu(4)),
    ('stm32g4_port', '--chip stm32g474 --sink tpiu:4',
     [(0x4002104c, 0x10, 0x10), (0x48001000, 0x3ff0, 0x2aa0),
      (0x48001020, 0xfffff00, 0), (0xe0042004, 0xe0, 0xe0)] + tpiu(4)),
    ('lpc1768_port', '--chip lpc1768 --sink tpiu:4',
     [(0x4002c028, 0x8, 0x8)] + tpiu(4) + MACROCELL),
    ('lpc1768_swo', '--chip lpc1768 --sink swo:2000000 --clock 100000000',
     swo(50, True) + MACROCELL),
    ('lpc4357_port', '--chip lpc4357 --sink tpiu:4',
     [(0x40086790, ~0, 0x32), (0x40086794, ~0, 0x33),
      (0x400867a0, ~0, 0x33)] + tpiu(4)),
    ('sam4s_swo', '--chip atsam4s16c --sink swo:1000000 --clock 120000000',
     [(ITM + 0xe80, 0x7f0001, 0x10001)] + swo(120, False)),
    ('nrf52832_port', '--chip nrf52832 --sink tpiu:4',
     [(0x4000055c, 0x30003, 0x20000), (0x50000750, ~0, 0x301),
      (0x50000738, ~0, 0x301)] + tpiu(4) + MACROCELL),
    ('nrf52840_swo', '--chip nrf52840 --sink swo:1000000',
     [(0x4000055c, 0x30003, 0x10000), (0x50000a00, ~0, 0x301)] +
     swo(32, True)),
    ('k64_port', '--chip mk64fn1m0 --sink tpiu:4',
     [(0x40048038, 0x2000, 0x2000), (0x40048004, 0x1000, 0x1000),
      (0x4004d000, ~0, 0x540), (0x4004d004, ~0, 0x540),
      (0xe0080014, 0x30, 0), (0xe0043000, 0xff, 1)] + tpiu(4) + MACROCELL),
    ('tm4c123_port', '--chip tm4c123gh6pm --sink tpiu:2',
     [(0x400fe608, 0x20, 0x20), (0x40025420, 0xe, 0xe),
      (0x4002551c, 0xe, 0xe), (0x4002552c, 0xfff0, 0xeee0)] + tpiu(2)),
    ('tm4c1294_port', '--chip tm4c1294ncpdt --sink tpiu:4',
     [(0x4005d420, 0x1f, 0x1f), (0x4005d52c, 0xfffff, 0xfffff)] + tpiu(4)),
    ('efm32gg_port', '--chip efm32gg990f1024 --sink tpiu:4',
     [(0x400c8044, 0x2000, 0x2000), (0x40006070, 0xfffff000, 0x44444000),
      (0x40006120, 0x0301f000, 0x0001f000)] + tpiu(4)),
    ('efm32gg_swo', '--chip efm32gg --sink swo:875000 --trace itm',
     [(0x400060b8, 0xf00, 0x400), (0x40006120, 0x308, 0x8)] + swo(16, False)),
    ('unknown_cortex_m4', '--core cortex-m4 --sink tpiu:4',
     tpiu(4) + MACROCELL),
]
# These in all languages, and the others in one.
EVERYWHERE = ('stm32f4_start_and_stop', 'lpc1768_swo', 'stm32f1_itm')


def check_setup(name, arguments, expected, folder):
    logs = {}
    for form in RUNS if name in EVERYWHERE else ('pyocd', 'openocd'):
        model = Model(locked=(0xe0043000,))
        wrong = run(form, model, folder, arguments.split())
        if not wrong:
            for address, mask, bits in expected:
                model.expect(address, mask & 0xffffffff, bits)
            model.expect(DEMCR, TRCENA | 0x401, TRCENA | 0x401)
            if model.running == ('itm' in arguments or 'sam4' in arguments):
                model.wrong('the macrocell runs: %s' % model.running)
            if model.running and not model.locked[ETM]:
                model.wrong('the macrocell is not locked')
            wrong = '\n'.join(model.errors)
            logs[form] = model.log
        verdict('%s_in_%s' % (name, form), wrong)
    first = next(iter(logs.values()), None)
    verdict(name + '_is_the_same_everywhere',
            None if all(log == first for log in logs.values())
            else 'the writes differ')


def words(count):
    return [(0x01020304 * (i + 1)) & 0xffffffff for i in range(count)]


def check_buffer(name, arguments, base, tmc, folder):
    """Set up, then read out, half full and after it has wrapped."""
    for full in (False, True):
        held = words(16 if full else 7)
        if full:
            held = held[5:] + held[:5]
        for form in RUNS:
            title = '%s_%s_%s' % (name, 'full' if full else 'part', form)
            setup = Model('cortex-a' not in arguments, 0xf889c000 if
                          'cortex-a' in arguments else ETM,
                          Buffer(base, tmc, held, full),
                          (0xe0043000, 0xf8804000))
            wrong = run(form, setup, folder, arguments.split())
            if not wrong and not (setup.buffer.on and setup.running):
                wrong = 'it does not trace'
            verdict(title + '_set_up', wrong)
            if form == 'jlink': # has no files
                continue
            model = Model(setup.m, setup.etm, Buffer(base, tmc, held, full),
                          (0xe0043000, 0xf8804000))
            model.memory[DEMCR] |= TRCENA
            model.memory[model.etm] = 0x800
            model.buffer.on = True
            model.buffer.write = 5 if full else 7
            model.buffer.first = 5 if full else 0
            result = os.path.join(folder, 'etb.bin')
            if os.path.exists(result):
                os.remove(result)
            wrong = run(form, model, folder,
                        arguments.split() + ['--read-out'])
            if not wrong:
                got = open(result, 'rb').read()
                want = b''.join(w.to_bytes(4, 'little') for w in held)
                if got != want:
                    wrong = '%s, not %s' % (got.hex(), want.hex())
                if model.running or model.buffer.on:
                    wrong = 'something still runs'
            verdict(title + '_read_out', wrong)


def check_swo_capture(folder):
    """The configuration of OpenOCD's own target file takes it."""
    script = os.path.join(folder, 'capture.tcl')
    wrong = configure(script, *'--chip stm32f407 --sink swo:2000000 --clock '
                      '168000000 --trace itm --read-out --format '
                      'openocd'.split())
    if not wrong:
        text = open(script).read()
        assert '$etm_tpiu enable\n' in text # needs a chip
        with open(script, 'w') as out:
            out.write(text.replace('$etm_tpiu enable\n',
                                   'echo "@ [$etm_tpiu cget -output] '
                                   '[$etm_tpiu cget -pin-freq] '
                                   '[$etm_tpiu cget -traceclk] '
                                   '[$etm_tpiu cget -formatter]"\n'))
        try:
            done = subprocess.run(
                ['openocd', '-c', 'adapter driver dummy', '-c',
                 'transport select jtag', '-f', 'target/stm32f4x.cfg', '-f',
                 script, '-c', 'shutdown'], cwd=folder, text=True,
                capture_output=True)
            said = done.stdout + done.stderr
            if '@ swo.bin 2000000 168000000 off' not in said:
                # before 0.12 there was no such object, and not all have a dummy
                wrong = (interpreters.MISSING if 'dummy' in said or
                         'invalid command name "tpiu"' in said else said)
        except FileNotFoundError:
            wrong = interpreters.MISSING
    verdict('openocd_takes_the_capture_of_swo', wrong)


def check_model(folder):
    """The model takes wrong scripts amiss: a line less of a good one."""
    good = os.path.join(folder, 'x.py')
    configure(good, *'--chip stm32f407 --sink tpiu:4 --format pyocd'.split())
    lines = open(good).read().splitlines(keepends=True)
    for what in ('DEMCR: TRCENA', 'ITM_LAR: unlock', 'ETMLAR: unlock',
                 'ETMCR: programming bit'):
        with open(good, 'w') as out:
            out.writelines(line for line in lines if what not in line)
        model = Model()
        failed = interpreters.pyocd('x.py', model, folder)
        verdict('a_script_without_%s_is_wrong' %
                what.lower().replace(': ', '_').replace(' ', '_'),
                None if failed or model.errors else 'nothing was noticed')
    at = next(i for i, line in enumerate(lines) if 'DBGMCU_CR' in line)
    moved = lines[:at] + lines[at + 1:]
    end = next(i for i, line in enumerate(moved) if 'TPIU_FFCR' in line)
    with open(good, 'w') as out:
        out.writelines(moved[:end] + [lines[at]] + moved[end:])
    model = Model()
    interpreters.pyocd('x.py', model, folder)
    verdict('a_script_with_pins_after_the_port_is_wrong',
            None if model.errors else 'nothing was noticed')


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_model(folder)
        for name, arguments, expected in SETUPS:
            check_setup(name, arguments, expected, folder)
        check_buffer('etb_of_a_kinetis', '--chip k64 --sink etb', 0xe0042000,
                     False, folder)
        check_buffer('etb_of_a_zynq', '--core cortex-a9 --sink etb --base '
                     '0xf889c000 --etb 0xf8801000 --funnel 0xf8804000:0',
                     0xf8801000, False, folder)
        check_buffer('tmc', '--core cortex-m4 --sink etb --tmc 0xe0048000',
                     0xe0048000, True, folder)
        check_swo_capture(folder)
    print('1..%d' % n)


main()
