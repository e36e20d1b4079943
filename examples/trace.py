#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
What a notebook would do with a capture, cell by cell:

    python3 trace.py demo/cortex-m3
"""
# %% Open it
import collections
import sys

import etm

capture = etm.open(sys.argv[1] if len(sys.argv) > 1 else '.')
source = capture.sources[0]
print(f'{source.name}: {source.title}, on {source.core or "some processor"}')

# %% What happened, an object each
kinds = collections.Counter(e.kind.name.lower() for e in source.elements())
for name, n in kinds.most_common():
    print(f'{n:8} {name}')

# %% Where the instructions were executed: counts by range, with symbols
functions = collections.Counter()
for count in source.counts():
    symbol = source.symbol(count.start)
    functions[symbol.name if symbol else '?'] += count.n * count.insns
for name, n in functions.most_common(10):
    print(f'{n:8} {name}')

# %% The same with NumPy, for long captures: arrays without a copy
try:
    import numpy
except ImportError:
    sys.exit()
lengths = numpy.zeros(33, dtype=int)
for array in source.arrays():
    ranges = array[array['kind'] == etm.ElementKind.RANGE]
    lengths += numpy.bincount(numpy.minimum(ranges['range_n'], 32),
                              minlength=33)
print('instructions from one branch to the next:')
for n in lengths.nonzero()[0]:
    print(f'{n:4}{"+" if n == 32 else " "} {lengths[n]:8}')
