#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print "N passed, N failed" from Meson's testlog.json as the last line, how
many were skipped and which failed before it; fail if any failed, or if no test
ran. The tests inside a cmocka program count one by one."""
import json
import re
import sys

passed = failed = skipped = 0


def total(word, text):
    return sum(int(n) for n in re.findall(
        r"^\[ +%s +\] (\d+) test\(s\)" % word, text, re.M))


def tell(test, text):
    """The test's name, and what it says of its failures."""
    print("failed:", test["name"])
    lines = [line for line in text.splitlines()
             if re.match(r"#|not ok|Bail out|\[ +(ERROR|FAILED|LINE) +\]|.*[Ee]rror:", line)]
    for line in lines[-20:]:
        print(" ", line[:200])


try:
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        tests = [json.loads(line) for line in log if line.strip()]
except OSError as error:
    print(error)
    print("0 passed, 1 failed")
    sys.exit(1)

for test in tests:
    text = test.get("stdout", "") + test.get("stderr", "")
    good, bad, out = (total(w, text) for w in ("PASSED", "FAILED", "SKIPPED"))
    if good + bad + out == 0:  # scenarios: a line of TAP each
        good, bad = (len(re.findall(r"^%sok \d+ - \S+\.(?:scn|enc): " % word, text, re.M))
                     for word in ("", "not "))
    if good + bad + out == 0:  # not a cmocka program
        good = test["result"] in ("OK", "EXPECTEDFAIL")
        out = test["result"] == "SKIP"
    if test["result"] not in ("OK", "EXPECTEDFAIL", "SKIP") and bad == 0:
        bad = 1
    if bad:
        tell(test, text)
    passed, failed, skipped = passed + good, failed + bad, skipped + out

if skipped:
    print("%d skipped" % skipped)
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed != 0 or passed == 0)
