# SPDX-License-Identifier: Apache-2.0
"""The other direction: what to program a macrocell with, and the trace of an
execution."""
import ctypes
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _declarations as d
from ._native import Error, check, chosen, lib, make, registers, text

Range = Union[int, Tuple[int, int]]  # an address, or from and to (exclusive)


class Setup:
    """Values for the registers of a macrocell, in the order of writing."""

    def __init__(self, core: str, setup: Any, notes: List[str]):
        self.core = core
        self.notes = notes  # where it only approximates what was asked for
        self._setup = setup

    @property
    def registers(self) -> Dict[str, int]:
        return {text(lib.etm_register_name(v.number)): v.value
                for v in self._setup.values[:self._setup.n]}

    def __setitem__(self, name: str, value: int) -> None:
        check(lib.etm_setup_set(
            self._setup, lib.etm_register_number(name.encode()), value))

    def text(self, format: Union[str, d.SetupFormat] = 'table') -> str:
        """As a table, or a script: c, openocd, gdb, sysfs, jlink, pyocd."""
        diag = d.etm_diag()
        script = make('etm_setup_script')
        macrocell, _keep = _macrocell(self.core)
        check(lib.etm_setup_script_of(script, macrocell, diag), diag)
        kind = chosen(d.SetupFormat, format, 'format')
        n = check(lib.etm_setup_write(self._setup, kind, script, None, 0,
                                      diag), diag)
        room = ctypes.create_string_buffer(n + 1)
        check(lib.etm_setup_write(self._setup, kind, script, room, n + 1,
                                  diag), diag)
        return room.value.decode()


class Core(NamedTuple):
    name: str
    macrocell: str
    version: str


def cores() -> List[Core]:
    """The processors whose macrocells are known."""
    found: List[Core] = []
    while True:
        core = lib.etm_cores(len(found))
        if not core:
            return found
        c = core.contents
        found.append(Core(text(c.name), text(c.macrocell), text(c.version)))


def _core(name: str) -> Any:
    core = ctypes.POINTER(d.etm_core)()
    if lib.etm_core_find(name.encode(), ctypes.byref(core)) != d.Status.OK:
        raise ValueError(f'{name}: no such core')
    return core


def _macrocell(core: str) -> Tuple[Any, Any]:
    known = _core(core)
    macrocell, config = make('etm_macrocell_config'), make('etm_config')
    diag = d.etm_diag()
    check(lib.etm_core_macrocell(known, None, macrocell, config, diag), diag)
    return macrocell, config


def _matches(ranges: Sequence[Range]) -> Any:
    array = (d.etm_request_match * len(ranges))()
    for match, given in zip(array, ranges):
        if isinstance(given, tuple):
            match.range = True
            setattr(match, 'from', given[0])
            match.to = given[1] - 1
        else:
            setattr(match, 'from', given)
    return array


def configure(core: str, *, include: Sequence[Range] = (),
              exclude: Sequence[Range] = (), start: Sequence[int] = (),
              stop: Sequence[int] = (), data: str = '',
              **members: Any) -> Setup:
    """
    Register values with which the macrocell of a core traces what is asked
    for; by default all instructions. `data` is 'address', 'value' or 'both';
    other members are those of struct etm_request: cycle_accurate=True,
    context_id_bytes=4, trace_id=0x10 ... Raises Error.
    """
    macrocell, _keep = _macrocell(core)
    if data not in ('', 'address', 'value', 'both'):
        raise ValueError(f'{data}: no such data')
    request = make('etm_request', data_address=data in ('address', 'both'),
                   data_value=data in ('value', 'both'))
    for name, value in members.items():
        if name not in dict(d.etm_request._fields_):
            raise TypeError(f'configure() has no argument {name}')
        setattr(request, name, value)
    keep = []
    for name, ranges in (('include', include), ('exclude', exclude),
                         ('start', start), ('stop', stop)):
        keep.append(_matches(ranges))
        setattr(request, name, keep[-1])
        setattr(request, 'n_' + name, len(keep[-1]))
    setup, notes, diag = d.etm_setup(), d.etm_notes(), d.etm_diag()
    check(lib.etm_configure(setup, request, macrocell, notes, diag), diag)
    return Setup(core, setup,
                 [text(notes.text[i].value) for i in range(notes.n)])


class _Recording:
    """What is made while an execution is read, and freed afterwards."""

    def __init__(self, core: str):
        self.core = core
        self.macrocell = ctypes.c_void_p()
        self.writer = ctypes.c_void_p()
        self.reader = ctypes.c_void_p()
        self.diag = d.etm_diag()
        self.failed = 0
        self.keep: List[Any] = []

    def free(self, done: bool) -> None:
        lib.etm_execution_reader_free(self.reader)
        lib.etm_macrocell_free(self.macrocell)
        (lib.etm_snapshot_writer_free if done
         else lib.etm_snapshot_writer_discard)(self.writer)

    def take_bytes(self, _context: Any, data: Any, n: int) -> int:
        return lib.etm_snapshot_add_trace(self.writer, 0, data, n, self.diag)

    def take_events(self, _context: Any, events: Any, n: int) -> int:
        return lib.etm_macrocell_run(self.macrocell, events, n)

    def program(self, setup: Setup) -> None:
        """The macrocell, programmed, with its trace going to the snapshot."""
        config, keep = _macrocell(self.core)
        self.keep.append(keep)
        check(lib.etm_macrocell_new(ctypes.byref(self.macrocell), config,
                                    self.diag), self.diag)
        lib.etm_macrocell_set_pins(self.macrocell, make(
            'etm_macrocell_pins', dbgen=True, niden=True, spiden=True,
            spniden=True))
        value = ctypes.c_uint32()
        for way in (d.Access.DEBUGGER, d.Access.JTAG, d.Access.SOFTWARE,
                    d.Access.COPROCESSOR):
            if lib.etm_macrocell_read(self.macrocell, 0, way, value) == \
                    d.AccessResult.OK:
                break
        check(lib.etm_setup_apply(setup._setup, self.macrocell, way,
                                  self.diag), self.diag)
        take = d.etm_bytes_fn(self.take_bytes)
        self.keep.append(take)
        check(lib.etm_macrocell_connect(
            self.macrocell, make('etm_macrocell_output', bytes=take,
                                 fifo_size=2 ** 64 - 1)))
        self.values = {}
        for name in ['ETMIDR', 'ETMCCR', 'ETMCCER', 'ETMSCR',
                     *setup.registers]:
            number = lib.etm_register_number(name.encode())
            if lib.etm_macrocell_read(self.macrocell, number, way, value) == \
                    d.AccessResult.OK and value.value != 0:
                self.values[name] = value.value

    def describe(self, directory: str, framing: int) -> None:
        """The snapshot, before its trace."""
        trace = make('etm_config')
        lib.etm_macrocell_trace_config(self.macrocell, trace)
        check(lib.etm_snapshot_writer_new(
            ctypes.byref(self.writer),
            make('etm_snapshot_writer_config', directory=directory.encode()),
            self.diag), self.diag)
        check(lib.etm_snapshot_add_core(
            self.writer, make('etm_snapshot_core', type=self.core.encode()),
            None, self.diag), self.diag)
        check(lib.etm_snapshot_add_buffer(
            self.writer, make('etm_snapshot_buffer', framing=framing), None,
            self.diag), self.diag)
        values = registers(self.values)
        check(lib.etm_snapshot_add_source(
            self.writer, make('etm_snapshot_source',
                              config=ctypes.pointer(trace),
                              registers=values, n_registers=len(values)),
            None, self.diag), self.diag)

    def read(self, log: bytes, tarmac: bool) -> None:
        take = d.etm_event_fn(self.take_events)
        self.keep.append(take)
        check(lib.etm_execution_reader_new(
            ctypes.byref(self.reader), make(
                'etm_execution_reader_config', events=take,
                format=int(d.ExecutionFormat.TARMAC if tarmac
                           else d.ExecutionFormat.LOG),
                profile=_core(self.core).contents.profile)))
        check(lib.etm_execution_reader_push(self.reader, log, len(log),
                                            self.diag), self.diag)
        check(lib.etm_execution_reader_finish(self.reader, self.diag),
              self.diag)
        check(lib.etm_macrocell_finish(self.macrocell))


def record(log: Union[str, bytes], core: str, directory: Any, *,
           setup: Optional[Setup] = None, tarmac: bool = False,
           program: Optional[str] = None) -> None:
    """
    Write the snapshot that a core with its macrocell would have left behind
    when it executed what the text of a log says: an execution log
    (doc/execution-log.md) or that of a Tarmac. `program` is the ELF file that
    is put beside the trace. Raises Error.
    """
    if setup is None:
        try:
            setup = configure(core, trace_id=0x10)
        except Error: # an old one, which has none
            setup = configure(core)
    recording = _Recording(core)
    done = False
    try:
        recording.program(setup)
        old = setup.registers.get('ETMTRACEIDR', 0) == 0
        recording.describe(str(directory), int(
            d.Framing.PORT if old and _is_port(core) else
            d.Framing.NONE if old else d.Framing.CORESIGHT))
        if program is not None:
            check(lib.etm_snapshot_add_program(
                recording.writer, 0, program.encode(), recording.diag),
                recording.diag)
        recording.read(log.encode() if isinstance(log, str) else log, tarmac)
        check(lib.etm_snapshot_writer_finish(recording.writer, recording.diag),
              recording.diag)
        done = True
    finally:
        recording.free(done)


def _is_port(core: str) -> bool:
    """Does its trace consist of the samples of a port?"""
    return _macrocell(core)[1].protocol in (d.Protocol.ETMV1,
                                            d.Protocol.ETMV2)
