# SPDX-License-Identifier: Apache-2.0
"""The shared libraries and their functions, as _declarations.py has them."""
import ctypes
import os
import pathlib
from typing import Any, List

from . import _declarations as d

try:
    from ._installed import LIBDIR  # where `meson install` has put them
except ImportError:
    LIBDIR = ''


class Error(Exception):
    """What a function of the library refused, or could not do."""

    def __init__(self, status: int, diag: Any = None, text: str = ''):
        self.status = d.Status(status) if status in list(d.Status) else status
        self.what = text
        self.source = ''
        self.line = self.offset = self.address = None
        if diag is not None and diag.what:
            self.what = diag.what.decode('utf-8', 'replace')
            self.source = diag.source.decode('utf-8', 'replace')
            none = 2 ** 64 - 1
            for name in ('line', 'offset', 'address'):
                value = getattr(diag, name)
                setattr(self, name, None if value == none else value)
        if not self.what:
            self.what = lib.etm_status_text(status).decode()
        super().__init__(f'{self.source}: {self.what}' if self.source
                         else self.what)


class _Library:
    """The functions of both libraries, with their types."""

    def __init__(self) -> None:
        found: List[Any] = []
        for name in ('libetm.so.0', 'libetm-capture.so.0'):
            for folder in self._folders():
                path = os.path.join(folder, name) if folder else name
                if folder and not os.path.exists(path):
                    continue
                try:
                    # libetm-capture.so finds libetm.so by its name
                    found.append(ctypes.CDLL(path, ctypes.RTLD_GLOBAL))
                    break
                except OSError:
                    if not folder:
                        raise
        for name, (result, arguments) in d.FUNCTIONS.items():
            for library in reversed(found):
                try:
                    function = library[name]
                except AttributeError:
                    continue
                function.restype = result
                function.argtypes = arguments
                setattr(self, name, function)
                break

    @staticmethod
    def _folders() -> List[str]:
        # python/etm in a build folder has the libraries in src
        build = pathlib.Path(__file__).resolve().parents[2] / 'src'
        return [str(build), LIBDIR, '']

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f'the library has no {name}()')


lib: Any = _Library()


def check(status: int, diag: Any = None) -> int:
    """The status, unless it is an error."""
    if status < 0:
        raise Error(status, diag)
    return status


def make(name: str, **members: Any) -> Any:
    """A struct with its size and some members."""
    struct = d.STRUCTS[name]()
    if struct._fields_[0][0] == 'size':
        struct.size = ctypes.sizeof(struct)
    for member, value in members.items():
        setattr(struct, member, value)
    return struct


def text(value: Any) -> str:
    """A string of the library; '' for NULL."""
    return value.decode('utf-8', 'replace') if value else ''


def chosen(kind: Any, value: Any, what: str) -> int:
    """The value of an enumeration, which may be given by its name."""
    if not isinstance(value, str):
        return int(value)
    try:
        return int(kind[value.upper().replace('-', '_')])
    except KeyError:
        raise ValueError(f'{value}: no such {what}') from None


def registers(values: Any) -> Any:
    """An array of struct etm_register from names and values."""
    array = (d.etm_register * len(values))()
    for register, (name, value) in zip(array, values.items()):
        register.name = name.encode()
        register.number = lib.etm_register_number(name.encode())
        register.value = value
    return array
