# SPDX-License-Identifier: Apache-2.0
"""Captures: from files to elements, symbols and counts."""
import ctypes
import threading
from typing import (Any, Callable, Dict, Iterator, List, Mapping, NamedTuple,
                    Optional, Sequence, Union)

from . import _declarations as d
from ._native import check, chosen, lib, make, registers, text

_STOPPED = int(d.Status.ERR_STOPPED)
_SIZE = ctypes.sizeof(d.etm_element)


class Symbol(NamedTuple):
    """The function or label that an address belongs to."""
    name: str
    offset: int  # of the address in it
    size: int    # bytes; 0: not known


class Line(NamedTuple):
    """A line of a source file."""
    file: str
    line: int
    text: Optional[str]


class Function(NamedTuple):
    name: str
    address: int
    size: int


class Count(NamedTuple):
    """How often a range was executed."""
    n: int
    start: int
    end: int
    insns: int
    last_address: int
    isa: int
    last_type: int
    last_exec: int
    last_flags: int


class Point(NamedTuple):
    """Where decoding can begin; what is not known is None."""
    position: Optional[int]
    offset: int
    address: Optional[int]
    context_id: Optional[int]
    time: Optional[int]
    cycles: Optional[int]


class Buffer(NamedTuple):
    name: str
    path: str
    bytes: int
    framing: d.Framing


class _Flow:
    """
    Turns a run, which calls a function with arrays, into an iterator over the
    arrays. The run is a thread of its own, which waits while an array is in
    use: its memory is the library's, and nothing is copied.
    """

    def __init__(self, run: Callable[[Any], None]):
        self._run = run
        self._wanted = threading.Semaphore(0)
        self._there = threading.Semaphore(0)
        self._array: Any = None
        self._failure: Optional[BaseException] = None
        self._stop = False

    def _take(self, _context: Any, elements: Any, n: int) -> int:
        self._array = (elements, n)
        self._there.release()
        self._wanted.acquire()
        return _STOPPED if self._stop else 0

    def _work(self) -> None:
        self._wanted.acquire()
        try:
            if not self._stop:
                self._run(self._take)
        except BaseException as failure:
            self._failure = failure
        self._array = None
        self._there.release()

    def __iter__(self) -> Iterator[Any]:
        thread = threading.Thread(target=self._work, daemon=True)
        thread.start()
        try:
            while True:
                self._wanted.release()
                self._there.acquire()
                if self._array is None:
                    break
                yield self._array
        finally:
            self._stop = True
            self._wanted.release()
            thread.join()
        if self._failure is not None:
            raise self._failure


def dtype() -> Any:
    """The NumPy type of an element: offset, kind, source, since_known, since,
    and the members of each kind, as range_start, insn_address ..."""
    import numpy
    names: List[str] = []
    formats: List[Any] = []
    offsets: List[int] = []

    def add(struct: Any, prefix: str, at: int) -> None:
        for name, kind in struct._fields_:
            field = at + getattr(struct, name).offset
            if hasattr(kind, '_fields_'):
                add(kind, prefix + name + '_' if name != 'u' else prefix,
                    field)
            else:
                names.append(prefix + name)
                formats.append(numpy.dtype(kind))
                offsets.append(field)

    add(d.etm_element, '', 0)
    return numpy.dtype({'names': names, 'formats': formats,
                        'offsets': offsets, 'itemsize': _SIZE})


class Source:
    """A trace source of a capture."""

    def __init__(self, capture: 'Capture', index: int):
        self._capture = capture
        self._index = index
        info = lib.etm_session_source(capture._session, index).contents
        self.name = text(info.name)
        self.type = text(info.type)
        self.id: int = info.id
        self.core = text(info.core_type) or None
        self.why_not = text(info.why_not) or None  # why it cannot be decoded
        self.guessed: bool = info.guessed
        self.protocol = d.Protocol(info.config.protocol)
        self.registers: Dict[str, int] = {
            text(info.registers[i].name): info.registers[i].value
            for i in range(info.n_registers)}
        self.config = d.etm_config.from_buffer_copy(info.config)

    def __repr__(self) -> str:
        return f'<etm.Source {self.name}: {self.title}>'

    @property
    def title(self) -> str:
        """Protocol and version: "ETMv3.5", "PFT 1.1"."""
        line = ctypes.create_string_buffer(32)
        lib.etm_config_title(self.config, line, 32)
        return line.value.decode()

    def _execute(self, **members: Any) -> None:
        diag = d.etm_diag()
        check(lib.etm_session_run_source(
            self._capture._session, self._index,
            make('etm_session_run', **members), diag), diag)

    def _arrays(self, level: Any, begin: int, end: int,
                jobs: int) -> Iterator[Any]:
        def run(take: Any) -> None:
            self._execute(level=chosen(d.Level, level, 'level'), begin=begin,
                          end=end, jobs=jobs, sizeof_element=_SIZE,
                          elements=d.etm_element_fn(take))
        return iter(_Flow(run))

    def elements(self, level: Union[str, d.Level] = 'ranges', *,
                 begin: int = 0, end: int = 0,
                 jobs: int = 1) -> Iterator[d.Element]:
        """What the processor did, an object each. `begin` and `end` are bytes
        through all buffers of the source; 0 is its beginning or its end."""
        make_one = d.ELEMENTS
        for elements, n in self._arrays(level, begin, end, jobs):
            for i in range(n):
                e = elements[i]
                yield make_one[e.kind](e)

    def arrays(self, level: Union[str, d.Level] = 'ranges', *,
               begin: int = 0, end: int = 0, jobs: int = 1) -> Iterator[Any]:
        """The same as NumPy arrays of dtype(). They are views of the library's
        memory and valid until the next one is asked for: copy what is to stay.
        """
        import numpy
        kind = dtype()
        for elements, n in self._arrays(level, begin, end, jobs):
            memory = (ctypes.c_char * (n * _SIZE)).from_address(
                ctypes.addressof(elements.contents))
            view = numpy.frombuffer(memory, dtype=kind)
            view.flags.writeable = False
            yield view

    def counts(self) -> List[Count]:
        """How often each range was executed."""
        found: List[Count] = []

        def take(_context: Any, count: Any) -> int:
            c = count.contents
            found.append(Count(*(getattr(c, n) for n in Count._fields)))
            return 0
        self._execute(level=int(d.Level.COVERAGE),
                      counts=d.etm_count_fn(take))
        return found

    def points(self) -> List[Point]:
        """The synchronization points."""
        found: List[Point] = []

        def take(_context: Any, point: Any) -> int:
            p = point.contents
            found.append(Point(
                p.position if p.position_known else None, p.offset,
                p.address if p.address_known else None,
                p.context_id if p.context_id_known else None,
                p.time if p.time_known else None,
                p.cycles if p.cycles_known else None))
            return 0
        diag = d.etm_diag()
        check(lib.etm_session_find_points(
            self._capture._session, self._index,
            make('etm_session_points', point=d.etm_point_fn(take)), diag),
            diag)
        return found

    def _find(self, function: Any, address: int, struct: Any) -> Any:
        found = struct()
        status = function(self._capture._session, self._index,
                          address & 0xffffffff, found)
        if status == d.Status.ERR_NOT_FOUND:
            return None
        check(status)
        return found

    def symbol(self, address: int) -> Optional[Symbol]:
        """The function or label at an address."""
        found = self._find(lib.etm_session_symbol, address, d.etm_symbol)
        return found and Symbol(text(found.name), found.offset, found.size)

    def line(self, address: int) -> Optional[Line]:
        """The source line of an address."""
        found = self._find(lib.etm_session_line, address, d.etm_source_line)
        return found and Line(text(found.file), found.line,
                              text(found.text) if found.text else None)

    def functions(self) -> List[Function]:
        """All functions of the program, executed or not."""
        found: List[Function] = []

        def take(_context: Any, function: Any) -> int:
            f = function.contents
            found.append(Function(text(f.name), f.address, f.size))
            return 0
        check(lib.etm_session_functions(
            self._capture._session, self._index, d.etm_function_fn(take),
            None))
        return sorted(found, key=lambda f: f.address)

    def read(self, address: int, size: int) -> bytes:
        """Code of the processor; fewer bytes if the memory ends before."""
        room = (ctypes.c_uint8 * size)()
        n = lib.etm_session_read(self._capture._session, self._index, address,
                                 make('etm_space'), room, size)
        return bytes(room[:n])


class Capture:
    """A capture, opened by open(); also a context manager."""

    def __init__(self, path: str, options: Any):
        self._open: Any = None
        session = ctypes.c_void_p()
        diag = d.etm_diag()
        check(lib.etm_session_open(ctypes.byref(session), path.encode(),
                                   options, diag), diag)
        self._open = session
        self.path = path
        self.sources = [Source(self, i)
                        for i in range(lib.etm_session_sources(session))]
        self.notes = [text(lib.etm_session_note(session, i))
                      for i in range(lib.etm_session_notes(session))]
        self.buffers: List[Buffer] = []
        for i in range(lib.etm_session_buffers(session)):
            info = lib.etm_session_buffer(session, i).contents
            self.buffers.append(Buffer(text(info.name), text(info.path),
                                       info.bytes, d.Framing(info.framing)))

    @property
    def _session(self) -> Any:
        if self._open is None:
            raise ValueError('the capture is closed')
        return self._open

    def source(self, name: Union[str, int]) -> Source:
        """The source of that name or trace ID. KeyError: there is none."""
        index = ctypes.c_size_t()
        if lib.etm_session_find(self._session, str(name).encode(),
                                index) != d.Status.OK:
            raise KeyError(name)
        return self.sources[index.value]

    def close(self) -> None:
        """Iterators over its sources must have ended."""
        if self._open is not None:
            lib.etm_session_free(self._open)
            self._open = None

    def __enter__(self) -> 'Capture':
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __repr__(self) -> str:
        return f'<etm.Capture {self.path}: {len(self.sources)} sources>'


def open(path: Any, *, protocol: Union[str, d.Protocol] = 'none',
         framing: Union[str, d.Framing, None] = None,
         registers_of: Optional[Mapping[str, int]] = None,
         images: Sequence[str] = (), sysroot: Optional[str] = None,
         profile: Union[str, d.Profile] = 'unknown',
         guess: bool = True) -> Capture:
    """
    Open a capture: the directory of a snapshot, a perf.data, or a raw trace
    file. The rest is for raw files: `registers_of` the macrocell by name
    ({'ETMCR': 0x1000}), `images` with code ("FILE" or "FILE@ADDRESS"; also for
    snapshots). With `guess`, what is not given is taken from the bytes, if
    these leave no doubt. Raises Error.
    """
    given = registers(registers_of or {})
    names = (ctypes.c_char_p * len(images))(*(i.encode() for i in images))
    options = make(
        'etm_session_options', registers=given, n_registers=len(given),
        images=ctypes.cast(names, ctypes.POINTER(ctypes.c_char_p)),
        n_images=len(images),
        protocol=chosen(d.Protocol, protocol, 'protocol'),
        profile=chosen(d.Profile, profile, 'profile'), guess=guess,
        sysroot=sysroot.encode() if sysroot is not None else None)
    if framing is not None:
        options.framing = chosen(d.Framing, framing, 'framing')
        options.framing_told = True
    return Capture(str(path), options)
