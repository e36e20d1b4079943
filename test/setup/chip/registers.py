# SPDX-License-Identifier: Apache-2.0
"""A model of the registers that a script for a whole chip accesses.

It answers reads, and notes what a chip would take amiss: blocks of the debug
unit that are accessed before DEMCR.TRCENA, writes to what is locked, registers
of the macrocell written without the programming bit, a port that is set up
before its pins, and anything that is still changed when the macrocell runs.
Written from the Arm documents, not from the program that writes the scripts.
"""
KEY = 0xc5acce55
DEMCR, TRCENA = 0xe000edfc, 1 << 24
ITM, DWT, TPIU, ETM = 0xe0000000, 0xe0001000, 0xe0040000, 0xe0041000
LAR = 0xfb0
# Registers of chips that show that what was switched on is ready, and how far
# before them the switch is: PRGPIO of a TM4C, CMU_STATUS of an EFM32.
READY = {0x400fea08: 0x400, 0x400c802c: 0xc}


class Buffer:
    """An ETB (DDI 0314) or a TMC in circular mode (DDI 0461) with a RAM."""

    def __init__(self, base, tmc, words, full):
        self.base, self.tmc = base, tmc
        self.words, self.full = words, full # in RAM, oldest first
        self.depth = 16
        self.on = False
        self.at = 0 # of the next read
        self.stopped = False
        self.write = len(words) % self.depth
        # where the oldest word is
        self.first = self.write if full else 0

    def ram(self, index):
        return self.words[(index - self.first) % self.depth]

    def read(self, offset, memory):
        if offset == 0x004:
            return self.depth
        if offset == 0x00c:
            return (1 if self.full else 0) | (4 if self.stopped or not self.on
                                              else 0)
        if offset == 0x010:
            if self.tmc:
                self.at += 1
                return (self.words[self.at - 1]
                        if self.at <= len(self.words) else 0xffffffff)
            self.at += 1
            return self.ram(self.at - 1)
        if offset == 0x018:
            return self.write
        if offset == 0x300:
            return 2 if self.stopped else 0
        return memory

    def store(self, model, offset, value):
        """The value that the register has then."""
        running = self.on and not self.stopped
        if offset in (0x014, 0x018, 0x01c, 0x028) and running:
            model.wrong('the buffer is on, and 0x%03x is written' % offset)
        if offset == 0x014:
            self.at = value
        if offset == 0x020:
            self.on = value == 1
            self.stopped = not self.on
        if offset == 0x304 and value & 0x40:
            if not value & 0x1000:
                model.wrong('a flush that does not stop the formatter')
            self.stopped = True
            return value & ~0x40 # it clears itself
        return value


class Model:
    def __init__(self, profile_m=True, etm=ETM, buffer=None, locked=()):
        self.m, self.etm, self.buffer = profile_m, etm, buffer
        self.memory = {}
        self.locked = {etm: True, ITM: True, **{base: True for base in locked}}
        if buffer:
            self.locked[buffer.base] = True
        self.errors = []
        self.log = []
        self.blocks = [] # in which order they were written
        self.running = False
        # like after a debugger, and after a program: other bits are in use
        self.memory[DEMCR] = 0x00000401
        self.memory[etm] = 0x0000d011 # power down, some modes
        self.memory[ITM + 0xe80] = 0x0001001d

    def wrong(self, what):
        self.errors.append(what)

    def block_of(self, address):
        page = address & ~0xfff
        for name, base in (('itm', ITM), ('dwt', DWT), ('tpiu', TPIU),
                           ('etm', self.etm)):
            if page == base and (self.m or name == 'etm'):
                return name
        if self.buffer and page == self.buffer.base:
            return 'buffer'
        if page in self.locked:
            return 'link'
        return 'demcr' if address == DEMCR else 'chip'

    def value(self, address):
        """What is in memory; what nobody wrote has a pattern of its own."""
        return self.memory.get(address, (address * 0x9e3779b1) & 0xffffffff
                               if self.block_of(address) == 'chip' else 0)

    def check_access(self, address):
        if address % 4:
            self.wrong('0x%08x is not a word' % address)
        if (self.m and self.block_of(address) in ('itm', 'dwt', 'tpiu', 'etm')
                and not self.memory[DEMCR] & TRCENA):
            self.wrong('0x%08x before TRCENA' % address)

    def read(self, address):
        self.check_access(address)
        if address in READY and address - READY[address] in self.memory:
            return 0xffffffff
        if address == self.etm + 0x010: # ETMSR[1] follows ETMCR[10]
            return self.memory[self.etm] >> 9 & 2
        if self.buffer and self.block_of(address) == 'buffer':
            return self.buffer.read(address & 0xfff, self.value(address))
        return self.value(address)

    def write(self, address, value):
        self.check_access(address)
        self.log.append((address, value))
        block, page = self.block_of(address), address & ~0xfff
        if not self.blocks or self.blocks[-1] != block:
            self.blocks.append(block)
        if self.running and block != 'etm':
            self.wrong('0x%08x while the macrocell runs' % address)
        if block == 'chip' and ('tpiu' in self.blocks or
                                'buffer' in self.blocks):
            self.wrong('0x%08x of the chip after the port' % address)
        if address == page + LAR and page in self.locked:
            self.locked[page] = value != KEY
            return
        if self.locked.get(page):
            self.wrong('0x%08x is locked' % address)
            return
        if block == 'etm':
            self.write_etm(address - page, value)
        if block == 'itm' and address != ITM + 0xe80 and (
                self.memory[ITM + 0xe80] & 1):
            self.wrong('0x%08x while the ITM is on' % address)
        if block == 'buffer':
            value = self.buffer.store(self, address - page, value)
        self.memory[address] = value

    def write_etm(self, offset, value):
        control = self.memory[self.etm]
        if offset != 0:
            # 0x300 and above are locks and power, and can be accessed always
            if offset < 0x300 and (not control & 0x400 or control & 1):
                self.wrong('ETM 0x%03x without the programming bit' % offset)
            return
        if control & 1 and value & 1 == 0 and value & ~1 != control & ~1:
            self.wrong('ETMCR: power and other bits at once')
        self.running = not value & 0x400 and not value & 1

    def expect(self, address, mask, bits):
        """These bits have been set so, and all others of a register of the chip
        left alone."""
        before = (address * 0x9e3779b1) & 0xffffffff
        now = self.value(address)
        if now & mask != bits:
            self.wrong('0x%08x is 0x%08x, not 0x%08x under 0x%08x' %
                       (address, now, bits, mask))
        if self.block_of(address) == 'chip' and (now ^ before) & ~mask:
            self.wrong('0x%08x: other bits have changed' % address)
