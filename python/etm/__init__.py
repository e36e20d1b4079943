# SPDX-License-Identifier: Apache-2.0
"""
Arm ETM and PTM trace: captures, the program that ran, and the way back.

    import etm

    with etm.open('demo/cortex-m3') as capture:
        for element in capture.sources[0].elements():
            if element.kind == etm.ElementKind.RANGE:
                print(hex(element.start), element.n)

The module is written over the shared libraries, with what their headers
declare; doc/elements.md says what each element means.
"""
from . import _declarations as _d
from ._declarations import (DataStatus, Element, ElementKind, ExceptionType,
                            Framing, InsnType, Isa, Level, LostReason, Profile,
                            Protocol, SetupFormat, Status, TraceOnReason, Tri)
from ._native import Error, lib as _lib
from .capture import (Buffer, Capture, Count, Function, Line, Point, Source,
                      Symbol, dtype, open)
from .setup import Core, Setup, configure, cores, record

__version__ = _lib.etm_version().decode()
for _name in dir(_d):
    if _name.endswith('Element') and _name[0] != '_':
        globals()[_name] = getattr(_d, _name)

__all__ = [n for n in dir() if n[0] != '_' and n not in ('capture', 'setup')]
