# SPDX-License-Identifier: Apache-2.0
# The few commands that a visitor needs; Meson does the work.
#
#   make         build (the command lands at build/etm)
#   make demo    install what is missing, build, decode the capture in demo/
#   make test    install what is missing, build, run the tests
#   make bench   the benchmarks (doc/performance.md)
#   make install PREFIX=/usr/local

BUILD ?= build
PREFIX ?= /usr/local

.PHONY: all deps demo test bench install clean

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@command -v meson >/dev/null || { \
	  echo "meson is missing: run 'make demo', or tools/deps.sh" >&2; exit 1; }
	meson setup $(BUILD) --prefix=$(PREFIX)

deps:
	sh tools/deps.sh

demo: deps
	$(MAKE) all
	sh demo/run.sh $(BUILD)

test: deps
	$(MAKE) all
	meson test -C $(BUILD) --print-errorlogs --suite libetm --timeout-multiplier 4

bench: all
	meson test -C $(BUILD) --benchmark --verbose

install: all
	meson install -C $(BUILD)

clean:
	rm -rf $(BUILD)
