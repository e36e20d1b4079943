# SPDX-License-Identifier: Apache-2.0
# The few commands that a visitor needs; Meson does the work.
#
#   make         build the command (it lands at build/etm) and the library
#   make demo    install what is missing, build, decode the capture in demo/
#   make test    install what is missing, build, run the tests
#   make bench   the table of speeds (doc/performance.md), in a quarter of an
#                hour; make bench BENCH_MB=100 with longer streams, in hours
#   make bench-all   all benchmarks
#   make install PREFIX=/usr/local
#   make check-asan      the suite under sanitizers; also check-msan, check-tsan,
#                        check-valgrind, check-analyze, check-s390x, check-i386
#   make coverage        lines and branches that the suite reaches, by room
#   make fuzz FUZZ_SECONDS=60   all fuzz targets, for so long each
#
# What is missing are packages of Debian: tools/deps.sh says which, and how large.

BUILD ?= build
PREFIX ?= /usr/local
BENCH_MB ?= 10
FUZZ_SECONDS ?= 60

.PHONY: all demo with-tests test bench bench-all install clean coverage fuzz

all: $(BUILD)/build.ninja
	ninja -C $(BUILD) product

$(BUILD)/build.ninja:
	@command -v meson >/dev/null || { \
	  echo "meson is missing: run 'make demo', or tools/deps.sh" >&2; exit 1; }
	meson setup $(BUILD) --prefix=$(PREFIX)

demo:
	sh tools/deps.sh
	$(MAKE) all
	sh demo/run.sh $(BUILD)

# A folder that was set up without cmocka, or without the tests, gets them.
with-tests: $(BUILD)/build.ninja
	meson configure $(BUILD) -Dtests=true

test:
	@echo "make test: two processors build for about two minutes and test for six"
	sh tools/deps.sh test
	$(MAKE) with-tests
	ninja -C $(BUILD)
	meson test -C $(BUILD) --print-errorlogs --suite libetm --timeout-multiplier 4

bench: with-tests
	BENCH_MB=$(BENCH_MB) meson test -C $(BUILD) --benchmark --verbose compare

bench-all: with-tests
	BENCH_MB=$(BENCH_MB) meson test -C $(BUILD) --benchmark --verbose

# TESTS='^flow/' chooses among the tests.
check-%:
	sh tools/check.sh $* '$(TESTS)'

coverage:
	sh tools/check.sh coverage '$(TESTS)'

fuzz:
	sh tools/fuzz.sh $(FUZZ_SECONDS)

# A folder that was set up before has a prefix of its own: the one that is asked
# for counts.
install: $(BUILD)/build.ninja
ifneq ($(origin PREFIX),file)
	meson configure $(BUILD) -Dprefix=$(PREFIX)
endif
	ninja -C $(BUILD) product
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD)
