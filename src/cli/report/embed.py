#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the page of `etm report` C: what comes before its data, and after.

    embed.py PAGE.html PAGE.css SCRIPT.js... OUTPUT.c

In the page, @STYLE@, @SCRIPT@ and @DATA@ stand for what goes there.
"""
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def array(name, text):
    data = text.encode("utf-8")
    rows = [",".join(str(byte) for byte in data[at:at + 24])
            for at in range(0, len(data), 24)]
    return (f"const unsigned char {name}[] = {{\n" + ",\n".join(rows) +
            "};\n" f"const size_t {name}_size = sizeof {name};\n")


def main():
    page, style, *scripts, output = sys.argv[1:]
    text = read(page).replace("@STYLE@", read(style))
    text = text.replace("@SCRIPT@", "\n".join(read(s) for s in scripts))
    before, after = text.split("@DATA@")
    with open(output, "w", encoding="utf-8") as file:
        file.write('#include "cli/report.h"\n\n')
        file.write(array("etm_cli_report_before", before))
        file.write(array("etm_cli_report_after", after))


main()
