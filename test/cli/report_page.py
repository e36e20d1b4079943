#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check pages of `etm report`: what is in them, and in a browser.

    report_page.py data PAGE        its data are JSON and hold together
    report_page.py tracks PAGE      print how many lanes the tracks have, the
                                    last one of each, and what is in none
    report_page.py coverage PAGE    print what ran, as `etm coverage` has it: a
                                    line for each file and all of them, the
                                    functions that did not run, and the branches
                                    and conditions that went one way
    report_page.py code PAGE        its code ran as often as the instructions of
                                    standard input, which `etm decode` lists
    report_page.py contrast PAGE    its colours for text are 4.5 times as light
                                    as what they are on, or the reverse
                                    (WCAG 2.1, 1.4.3), in both themes
    report_page.py browse PAGE      Chromium shows it without errors; zoom,
                                    search and keys work
"""
import collections
import colorsys
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

DRIVE = """
<script>
addEventListener("load", function drive() {
  // a page has its widths with its first frames
  if (!(page.timeline.width > 0)) return setTimeout(drive, 50);
  const done = [], say = (what, is) => done.push(what + "=" + is);
  const press = (key, target) => (target || document.body).dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true }));
  try {
    const line = page.timeline, span = () => line.to - line.from, all = span();
    press("w");
    say("zoom", span() < all);
    const from = line.from;
    press("d");
    say("pan", line.from > from);
    press("0");
    say("all", span() === all);
    const coverage = page.source.coverage, tables = document.querySelectorAll("#coverage table");
    say("files", tables[0].tBodies[0].rows.length ===
      Math.max(1, coverage.files.filter((f) => f.file != null).length));
    say("gaps", (coverage.gaps.length !== 0) === (document.querySelector("#coverage .missing") != null));
    const plots = line.rows.filter((row) => row.plot);
    say("plots", plots.every((row) => line.tellAt(line.width - 1, row.y + 9).length > 3));
    say("variables", (plots.length !== 0) === (document.getElementById("variables") != null));
    const box = document.getElementById("search"), name = page.chosen;
    box.value = name;
    box.dispatchEvent(new Event("input"));
    say("found", line.hits.length > 0);
    press("Enter", box);
    say("next", document.getElementById("found").value.startsWith("1 of"));
    say("rows", document.querySelectorAll("#functions tr.hit").length >= 1);
    press("Escape", box);
    const theme = document.documentElement.dataset.theme;
    press("t");
    say("theme", document.documentElement.dataset.theme !== theme);
    page.flame.go(page.flame.nodes[1]);
    say("flame", page.flame.top !== page.flame.root);
    say("sections", ["summary", "timeline", "flame", "functions",
      "exceptions", "coverage"].every((id) => document.getElementById(id)));
  } catch (error) {
    say("error", error);
  }
  document.title = "RESULT " + done.join(" ") + " END";
});
</script>
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def data_of(text):
    blocks = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert len(blocks) == 1, "one block of data"
    assert "<" not in blocks[0], "nothing in the data ends their element"
    return json.loads(blocks[0])


def check_data(path):
    text = read(path)
    data = data_of(text)
    outside = text.replace(json.dumps(data["capture"]), "")
    assert not re.search(r"https?://", outside), "no address of a network"
    assert "default-src 'none'" in text
    for buffer in data["buffers"]:
        assert buffer["bytes"] > 0, buffer
    for source in data["sources"]:
        for track in source["timeline"]["tracks"]:
            assert track["name"] < len(data["names"])
            for lane in track["lanes"]:
                at = 0
                while at < len(lane):
                    assert lane[at + 2] < len(data["names"])
                    at += 5 if lane[at + 3] > 1 else 4
                assert at == len(lane)
        assert len(source["flame"]) % 5 == 0
        self_cost = sum(source["flame"][2::5])
        whole = source["cycles"] if source["cycles"] is not None \
            else source["instructions"]
        assert self_cost <= whole
        print(f"{source['name']}: {source['instructions']} instructions, "
              f"{len(source['functions'])} functions, "
              f"{len(source['exceptions'])} exceptions")


def print_tracks(path):
    data = data_of(read(path))
    for source in data["sources"]:
        line = source["timeline"]
        for track in line["tracks"]:
            if track["kind"] == "variable":
                print(data["names"][track["name"]],
                      *(f"{value}={data['names'][name]}" for value, name in track["texts"]))
                continue
            print(track["kind"], len(track["lanes"]), *track["lanes"][-1:])
        print("too deep", line["too_deep"])


def share(part, whole):
    return f"{part}/{whole}" if whole else "-"


def print_coverage(path):
    for source in data_of(read(path))["sources"]:
        covered = source["coverage"]
        files = [f for f in covered["files"] if f["file"] is not None]
        for file in files:
            print(*(share(*n) for n in file["n"]), file["file"])
        sums = [[sum(f["n"][i][k] for f in files) for k in (0, 1)]
                for i in range(4)]
        print(*(share(*n) for n in sums), "total")
        for f in covered["never"]:
            if f["file"] is not None:
                print("never", f"{f['file']}:{f['line']}", f["name"])
        assert len(covered["never"]) == covered["never_in_all"]
        for b in covered["one_way"]:
            word = "passed" if b["condition"] else "taken"
            print("always" if b["n"][0] else "never", word, sum(b["n"]),
                  f"{b['file']}:{b['line']}", f"{b['name']}+0x{b['offset']:x}",
                  b["text"] or "")
        for what, n in covered["gaps"]:
            print("gap", what, n)


def check_code(path):
    insns = [json.loads(line) for line in sys.stdin if '"k":"insn"' in line]
    branches = {e["addr"][2:] for e in insns if e["type"] in ("direct", "indirect")}
    ran = collections.Counter((e["addr"][2:], e["exec"]) for e in insns)
    functions = [f for source in data_of(read(path))["sources"] for f in source["code"]]
    for row in (row for f in functions for row in f["rows"] if isinstance(row, list)):
        *counts, text = row
        true, false, unknown = (ran.pop((text[:8], exec), 0) for exec in (True, False, None))
        assert counts[0] == true + false + unknown, row
        # of others than branches it is only counted how often they were reached
        either = false != 0 and text[:8] in branches
        assert counts[1:] == [true, false] or not either and counts[1:] == [0, 0], row
    assert not ran, ran
    print(len(functions), "functions")


def luminance(red, green, blue):
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
              for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(a, b):
    dark, light = sorted((luminance(*a), luminance(*b)))
    return (light + 0.05) / (dark + 0.05)


def check_contrast(path):
    text = read(path)
    themes = re.findall(r":root(?:\[data-theme=\"dark\"\])? \{(.*?)\}", text, re.S)
    slices = re.findall(r"hsl\(\$\{hueOf\(name\)\} (\d+)% (\d+)%\)", text)
    assert len(themes) == 2 and len(slices) == 2
    # the theme that is dark comes first in the page's code
    for theme, (share, light) in zip(themes, reversed(slices)):
        colours = {name: [int(value[i:i + 2], 16) / 255 for i in (0, 2, 4)]
                   for name, value in re.findall(r"--([\w-]+): #(\w{6});", theme)}
        pairs = [(front, back) for front in ("text", "dim", "accent", "good", "warn")
                 for back in ("back", "panel")]
        pairs += [("text", "gap"), ("text", "mark"), ("text", "warn-back"),
                  ("warn", "warn-back"), ("text", "line")]
        for front, back in pairs:
            assert ratio(colours[front], colours[back]) >= 4.5, (front, back)
        for hue in range(360):
            back = colorsys.hls_to_rgb(hue / 360, int(light) / 100, int(share) / 100)
            assert ratio(colours["text"], back) >= 4.5, (hue, light)


def show(chromium, html):
    """The document after its scripts, and errors of its console; a browser that
    shows nothing is started again."""
    for _ in range(3):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            page = os.path.join(folder, "page.html")
            with open(page, "w", encoding="utf-8") as file:
                file.write(html)
            ran = subprocess.run(
                [chromium, "--headless", "--no-sandbox", "--disable-gpu",
                 "--disable-dev-shm-usage", f"--user-data-dir={folder}/profile",
                 "--enable-logging=stderr", "--v=0", "--virtual-time-budget=4000",
                 "--dump-dom", "file://" + page],
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                errors="replace", timeout=240)
        if "<title>RESULT" in ran.stdout:
            break
    return ran.stdout, [line for line in ran.stderr.splitlines() if "CONSOLE" in line]


def browse(path):
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        print("SKIP there is no chromium")
        return
    if "<title>RESULT" not in show(chromium, "<title>RESULT</title>")[0]:
        print("SKIP chromium does not start here")
        return
    text, errors = show(chromium, read(path).replace("</body>", DRIVE + "</body>"))
    assert not errors, errors
    result = re.search(r"<title>RESULT (.*?) END</title>", text)
    assert result, "the page was not shown"
    print(result.group(1))
    assert "=false" not in result.group(1) and "error" not in result.group(1)


{"data": check_data, "tracks": print_tracks, "coverage": print_coverage,
 "code": check_code, "contrast": check_contrast, "browse": browse}[sys.argv[1]](sys.argv[2])
