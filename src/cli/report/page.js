/* The sections of the page. */
const page = { source: null, timeline: null, flame: null, functions: null };

/* A table whose columns can be sorted: {title, value, show, name}. */
function makeTable(columns, rows, options) {
  const most = options.most || 200;
  let by = options.by || 0, down = true, all = false;
  const head = make("tr"), body = make("tbody"), more = make("button", { type: "button" });
  const table = make("table", {}, make("thead", {}, head), body);
  const draw = () => {
    const value = columns[by].value;
    const sorted = rows.filter(options.filter || (() => true)).sort((a, b) => {
      const x = value(a), y = value(b);
      return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
    });
    columns.forEach((column, i) => {
      if (i === by) head.children[i].setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.children[i].removeAttribute("aria-sort");
    });
    body.replaceChildren(...sorted.slice(0, all ? sorted.length : most).map((row) => {
      const choose = options.choose && (() => options.choose(row));
      return make("tr", { class: [options.mark && options.mark(row) ? "hit" : "",
        options.chosen && options.chosen(row) ? "chosen" : ""].join(" "), tabindex: choose && 0, click: choose,
        keydown: (event) => choose && event.key === "Enter" && choose() },
      ...columns.map((column) => make("td", { class: column.name && "name", title: column.name && column.show(row) },
        column.show(row))));
    }));
    more.hidden = all || sorted.length <= most;
    more.textContent = `Show all ${number(sorted.length)}`;
  };
  columns.forEach((column, i) => head.append(make("th", { class: column.name && "name" },
    make("button", { type: "button", click: () => {
      down = i === by ? !down : !column.name;
      by = i;
      draw();
    } }, column.title))));
  more.addEventListener("click", () => {
    all = true;
    draw();
  });
  draw();
  return { element: make("div", {}, make("div", { class: "scroll" }, table), more), draw };
}

const meter = (part) => {
  const bar = make("i");
  bar.style.width = `${Math.round(100 * Math.min(1, part || 0))}%`;
  return make("span", { class: "meter", "aria-hidden": "true" }, bar);
};

const tile = (value, what) => make("div", { class: "tile" }, make("b", {}, value), make("span", {}, what));

function section(id, title, ...children) {
  return make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title` }, title), ...children);
}

/* ---- what the capture is ---- */

/* All that the trace of a source does not tell, as sentences. */
function missingOf(source) {
  const list = [];
  for (const lost of source.lost)
    list.push(`${plural(lost.bytes, "byte")} of trace could not be decoded, in ${plural(lost.n, "place")} (${lost.reason.replace(/_/g, " ")})` +
      (source.bytes ? `: ${percent(lost.bytes, source.bytes)}` : ""));
  for (const gap of source.gaps)
    list.push(`${plural(gap.n, "gap")}: ${data.names[gap.name]}` +
      (gap.total ? `, ${number(gap.total)} ${source.timeline.unit} in all` : ", how long is not known"));
  if (source.no_image) list.push(`code is missing at ${plural(source.no_image, "place")}: what ran there is not known`);
  if (source.code_missing) list.push(`code that the capture names could not be read: ${source.code_missing}`);
  if (source.part) list.push("only a part of the trace was asked for");
  if (source.guessed) list.push("some registers of the macrocell are missing; they were inferred from the trace");
  if (source.timeline.too_deep)
    list.push(`${plural(source.timeline.too_deep, "call")} nested too deeply for the time line`);
  return list;
}

const isEmpty = (source) => source.bytes === 0 ||
  (source.instructions === 0 && source.timeline.span === 0 && source.lost.length === 0 && !source.no_image);

function summarySource(source) {
  const missing = missingOf(source), all = source.instructions;
  if (isEmpty(source))
    return make("div", {}, make("h3", {}, source.title), make("div", { class: "missing" }, "There is no trace of it in the capture."));
  const tiles = make("div", { class: "tiles" });
  if (source.bytes != null) tiles.append(tile(brief(source.bytes), "bytes of trace"));
  if (!source.itm) tiles.append(tile(brief(all), "instructions"));
  if (source.cycles != null) tiles.append(tile(brief(source.cycles), source.cost_unit));
  if (source.cycles && all && !source.itm)
    tiles.append(tile(number((source.cycles - source.gap_cycles) / all), "cycles per instruction"));
  tiles.append(tile(number(source.functions.filter((f) => f.k === "function").length || 0), "functions"),
    tile(number(source.exceptions.reduce((sum, e) => sum + e.entries, 0)), "exceptions taken"));
  if (source.triggers) tiles.append(tile(number(source.triggers), "triggers"));
  const registers = source.registers.length === 0 ? null : make("details", {}, make("summary", {}, "Registers of the macrocell"),
    make("table", {}, make("tbody", {}, ...source.registers.map(([name, value]) => make("tr", {},
      make("td", { class: "name" }, name), make("td", { class: "code" }, value))))));
  return make("div", {}, make("h3", {}, source.title),
    make("p", { class: "dim" }, `Traces: ${source.traces}.`), tiles,
    missing.length === 0
      ? make("div", { class: "missing none" }, "Nothing is missing: all of the trace was decoded, without gaps.")
      : make("div", { class: "missing" }, make("b", {}, "What is missing"),
        make("ul", {}, ...missing.map((text) => make("li", {}, text)))), registers);
}

function summary() {
  const rest = [
    ...data.undecoded.map((s) => `${s.name} (0x${s.src.toString(16)}) was not decoded: ${s.why}`),
    ...data.notes];
  return section("summary", "The capture",
    make("p", {}, `${data.capture}; ` + data.buffers.map((b) => `${b.name}: ${b.file}` +
      (b.bytes ? `, ${plural(b.bytes, "byte")}` : "") + `, framing ${b.framing}`).join("; ")),
    make("div", { class: "sources" }, ...data.sources.map(summarySource)),
    rest.length === 0 ? null : make("div", { class: "missing" }, make("ul", {}, ...rest.map((text) => make("li", {}, text)))),
    make("p", { class: "dim" }, `Made by etm ${data.version}.`));
}

/* ---- time line and flame graph ---- */

/* The sources that are on the axis of the chosen one: those with timestamps
 * have one in common. */
const together = () => (page.source.timeline.unit === "ticks"
  ? data.sources.filter((s) => s.timeline.unit === "ticks") : [page.source]);

/* Where the axis begins, if that says something. */
function since() {
  const bases = together().map((s) => BigInt(s.timeline.base)).filter((base) => base !== 0n);
  return bases.length === 0 ? "" : ` from ${bases.reduce((a, b) => (b < a ? b : a))} on`;
}

function timeline() {
  const place = make("div"), resolution = page.source.timeline.resolution;
  const button = (title, text, act) => make("button", { type: "button", title, click: act }, text);
  const made = section("timeline", "Time line",
    make("p", { class: "dim" }, `In ${page.source.timeline.unit === "ticks" ? "ticks of the timestamps" : page.source.timeline.unit}${since()}. ` +
      "Drag to move, Ctrl and the wheel to zoom, Shift and drag to zoom to a part." +
      (resolution > 1 ? ` What is shorter than ${number(resolution)} is put together with its neighbours: ` +
        "a report of a part (--from, --to) shows more of it." : "")),
    make("div", { class: "tools" }, button("w", "Zoom in", () => page.timeline.zoom(0.6)),
      button("s", "Zoom out", () => page.timeline.zoom(1.6)), button("a", "\u2190", () => page.timeline.move(-0.25)),
      button("d", "\u2192", () => page.timeline.move(0.25)), button("0", "All", () => page.timeline.all())), place);
  page.timeline = new Timeline(place, together(), ["tasks", "exceptions", "gaps", "calls", "variable"]);
  page.timeline.chosen = choose;
  if (page.timeline.cut) made.append(make("p", { class: "dim" }, "There are more tracks than fit here."));
  return made;
}

function flame() {
  const place = make("div"), omitted = page.source.flame_omitted;
  page.flame = new Flame(place, page.source, choose);
  return section("flame", "Flame graph",
    make("p", { class: "dim" }, `Who called whom, and what it cost in ${page.source.cost_unit}: callers are above what they call. ` +
      "Click to look closer; 0 for all." + (omitted ? ` ${plural(omitted, "stack")} that cost too little to be seen are left out.` : "")), place);
}

/* ---- functions ---- */

function choose(name) {
  page.chosen = name;
  page.functions.draw();
  page.detail.replaceChildren(detailOf(name));
}

const inUnit = (row, what) => (row[`${what}_cycles`] != null ? row[`${what}_cycles`] : row[what]);

function edgesOf(name, here, there, title) {
  const rows = page.source.edges.filter((e) => e[here] === name);
  if (rows.length === 0) return null;
  return make("div", {}, make("h3", {}, title), make("table", {}, make("tbody", {}, ...rows.slice(0, 12).map((e) =>
    make("tr", { tabindex: 0, click: () => choose(e[there]), keydown: (event) => event.key === "Enter" && choose(e[there]) },
      make("td", {}, plural(e.calls, "call")), make("td", {}, number(inUnit(e, "total"))), make("td", { class: "name" }, e[there]))))));
}

function codeRow(row, most) {
  if (!Array.isArray(row))
    return make("tr", { class: "line" }, make("td", { colspan: 3 }, String(row.line)),
      make("td", { class: "name" }, row.text == null ? `${row.file}:${row.line}` : row.text));
  const [ran, passed, failed, text] = row;
  const made = make("tr", { class: ran === 0 ? "never" : "" }, make("td", {}, ran === 0 ? "never" : number(ran)),
    make("td", {}, passed + failed === 0 ? "" : number(passed)), make("td", {}, passed + failed === 0 ? "" : number(failed)),
    make("td", { class: "name", title: text }, text));
  if (ran !== 0) made.firstChild.style.background = `rgba(${style("--hot")}, ${0.32 * (ran / most)})`;
  return made;
}

function detailOf(name) {
  const code = page.source.code.find((c) => c.name === name);
  const parts = [make("h3", {}, name), make("div", { class: "split" }, edgesOf(name, "callee", "caller", "Called by"),
    edgesOf(name, "caller", "callee", "Calls"))];
  if (code) {
    const most = code.rows.reduce((m, row) => (Array.isArray(row) ? Math.max(m, row[0]) : m), 1);
    parts.push(make("p", { class: "dim" }, code.file || "no source lines are known"),
      make("div", { class: "scroll" }, make("table", { class: "code" }, make("thead", {}, make("tr", {},
        ...["ran", "passed", "failed"].map((t) => make("th", {}, t)), make("th", { class: "name" }, "source and instructions"))),
      make("tbody", {}, ...code.rows.map((row) => codeRow(row, most))))));
  } else {
    parts.push(make("p", { class: "dim" }, page.source.code.length !== 0
      ? "The report has the code of the functions that cost most: etm profile --annotate shows this one."
      : "There is no code to show."));
  }
  return make("div", {}, ...parts);
}

function functions() {
  const source = page.source, unit = source.cost_unit;
  const all = (source.cycles != null ? source.cycles - source.gap_cycles : source.instructions) || 1;
  const rows = source.functions.filter((f) => f.k === "function");
  const columns = [
    { title: "function", name: true, value: (f) => f.name, show: (f) => f.name },
    { title: "self", value: (f) => inUnit(f, "self"), show: (f) => make("span", {}, meter(inUnit(f, "self") / all),
      ` ${percent(inUnit(f, "self"), all)}`) },
    { title: "total", value: (f) => inUnit(f, "total"), show: (f) => percent(inUnit(f, "total"), all) },
    { title: "calls", value: (f) => f.calls, show: (f) => number(f.calls) },
    { title: `mean, ${source.unit}`, value: (f) => (f.complete ? f.sum / f.complete : -1),
      show: (f) => (f.complete ? number(f.sum / f.complete) : "-") },
    { title: `self, ${unit}`, value: (f) => inUnit(f, "self"), show: (f) => number(inUnit(f, "self")) }];
  page.functions = makeTable(columns, rows, { by: 1, choose: (f) => choose(f.name), mark: (f) => matches(f.name),
    chosen: (f) => f.name === page.chosen, filter: (f) => search.text === "" || matches(f.name), most: 150 });
  page.detail = make("div");
  if (rows.length !== 0) {
    page.chosen = rows[0].name;
    page.functions.draw();
    page.detail.append(detailOf(page.chosen));
  }
  return section("functions", "Functions",
    source.functions_in_all > source.functions.length
      ? make("p", { class: "dim" }, `The ${number(source.functions.length)} of ${number(source.functions_in_all)} that cost most.`) : null,
    rows.length === 0 ? make("p", {}, "No function is known to have run.")
      : make("div", { class: "columns" }, page.functions.element, page.detail));
}

/* ---- exceptions ---- */

function histogram(counts) {
  const most = Math.max(...counts, 1), made = make("div", { class: "histogram" });
  counts.forEach((n, i) => {
    if (n === 0) return;
    const from = i === 0 ? 0 : 2 ** (i - 1), bar = make("i");
    bar.style.width = `${Math.max(1, (100 * n) / most)}%`;
    made.append(make("span", {}, `${number(from)} to ${number(i === 0 ? 0 : 2 * from - 1)}`), bar, make("span", {}, number(n)));
  });
  return made;
}

function exceptionCard(e) {
  const spread = (title, least, sum, n, most) => make("tr", {}, make("td", { class: "name" }, title),
    ...(n ? [least, sum / n, most] : [null, null, null]).map((v) => make("td", {}, number(v))));
  return make("div", { class: "card" }, make("h3", {}, `${e.name}: ${plural(e.entries, "entry", "entries")}`),
    make("div", { class: "split" },
      make("div", {}, make("table", {}, make("thead", {}, make("tr", {}, make("th", { class: "name" }, `in ${e.unit}`),
        ...["least", "mean", "most"].map((t) => make("th", {}, t)))), make("tbody", {},
        spread("duration", e.least, e.sum, e.complete, e.most),
        spread("between entries", e.least_interval, e.sum_intervals, e.intervals, e.most_interval))),
      e.intervals ? make("p", { class: "dim" }, `jitter ${number(e.most_interval - e.least_interval)}`) : null,
      e.chained ? make("p", { class: "dim" }, `${plural(e.chained, "time")} pending when another one ended`) : null,
      e.nesting ? make("p", { class: "dim" }, `on top of ${plural(e.nesting, "other")} at most`) : null),
      make("div", {}, make("b", {}, "Durations"), histogram(e.durations)),
      make("div", {}, make("b", {}, "Interrupted"), make("table", {}, make("tbody", {}, ...e.interrupted.slice(0, 8).map((i) =>
        make("tr", {}, make("td", {}, plural(i.n, "time")), make("td", { class: "name" }, i.name))))))));
}

function exceptions() {
  const list = page.source.exceptions;
  return section("exceptions", "Exceptions", ...(list.length === 0 ? [make("p", {}, "None was taken.")]
    : list.map(exceptionCard)));
}

/* ---- coverage ---- */

const gapWords = { off: "tracing was off", overflow: "the FIFO overflowed", lost: "trace was lost", no_code: "unknown code ran" };

const placeOf = (x) => (x.file ? `${x.file}:${x.line}` : x.addr);

/* Branches, or conditional instructions, of which one outcome was not seen. */
function oneWay(title, rows) {
  if (rows.length === 0) return null;
  return make("details", {}, make("summary", {}, `${title}: ${number(rows.length)}`), makeTable([
    { title: "place", name: true, value: placeOf, show: placeOf },
    { title: "function", name: true, value: (x) => x.name || "", show: (x) => (x.name ? `${x.name}+0x${x.offset.toString(16)}` : "") },
    { title: "only", name: true, value: (x) => (x.n[0] ? 1 : 0), show: (x) => (x.condition
      ? (x.n[0] ? "always passed" : "never passed") : (x.n[0] ? "always taken" : "never taken")) },
    { title: "of", value: (x) => x.n[0] + x.n[1], show: (x) => number(x.n[0] + x.n[1]) },
    { title: "source", name: true, value: (x) => x.text || "", show: (x) => x.text || "" }], rows,
  { by: 3, most: 100, choose: (x) => x.name && goToFunction(x.name) }).element);
}

function goToFunction(name) {
  choose(name);
  document.getElementById("functions").scrollIntoView();
}

/* As `etm coverage` counts it. */
function coverage() {
  const { gaps, files, never, one_way: branches, never_in_all: absent, one_way_in_all: all } = page.source.coverage;
  const named = files.filter((f) => f.file != null), shown = named.length !== 0 ? named : files;
  const sum = (i) => shown.reduce((n, f) => [n[0] + f.n[i][0], n[1] + f.n[i][1]], [0, 0]);
  const ratio = ([part, whole]) => (whole ? `${number(part)} of ${number(whole)}` : "-");
  const share = ([part, whole]) => (whole ? part / whole : -1);
  const titles = ["lines", "branches", "functions", "instructions"];
  const columns = [{ title: "file", name: true, value: (f) => f.file || "", show: (f) => f.file || (f.file === "" ? "other files" : "without lines") },
    ...titles.map((title, i) => ({ title, value: (f) => share(f.n[i]), show: (f) => (f.n[i][1] === 0 ? "-"
      : make("span", {}, meter(share(f.n[i])), ` ${ratio(f.n[i])}`)) }))];
  const sure = gaps.length === 0, seen = sure ? "went one way only" : "were seen to go one way only";
  return section("coverage", "Coverage",
    sure ? null : make("div", { class: "missing" }, gaps.map(([what, n]) => `${gapWords[what]} ${plural(n, "time")}`).join(", ") +
      ": code that was not seen may have been executed then."),
    make("div", { class: "tiles" }, ...titles.map((title, i) => tile(percent(...sum(i)), `${title}: ${ratio(sum(i))}`))),
    shown.length === 0 ? make("p", {}, "The program is not known.") : makeTable(columns, shown, { by: 1, most: 100 }).element,
    oneWay(`Branches that ${seen}`, branches.filter((b) => !b.condition)),
    oneWay(`Conditional instructions that ${seen}`, branches.filter((b) => b.condition)),
    all > branches.length ? make("p", { class: "dim" }, `Of ${number(all)} of these the first ${number(branches.length)} are here.`) : null,
    never.length === 0 ? null : make("details", {}, make("summary", {}, `Functions ${sure ? "not executed while traced" : "not seen, perhaps executed in gaps"}: ` +
      number(absent)), makeTable([{ title: "function", name: true, value: (f) => f.name, show: (f) => f.name },
      { title: "place", name: true, value: placeOf, show: placeOf }], never, { most: 200 }).element));
}

/* ---- variables ---- */

function variables() {
  const place = make("div");
  const made = section("variables", "Variables", make("p", { class: "dim" }, "As the data trace tells them: a value lasts until the next one."), place);
  new Timeline(place, together(), ["variable"]);
  return made;
}

/* ---- the page ---- */

function draw() {
  const source = page.source;
  const parts = [["Capture", summary]];
  if (source) {
    parts.push(["Time line", timeline]);
    if (source.flame.length !== 0) parts.push(["Flame graph", flame]);
    parts.push(["Functions", functions], ["Exceptions", exceptions]);
    if (!source.itm) parts.push(["Coverage", coverage]);
    if (together().some((s) => s.timeline.tracks.some((t) => t.kind === "variable"))) parts.push(["Variables", variables]);
  }
  page.flame = null;
  const sections = parts.map(([, part]) => part());
  document.getElementById("main").replaceChildren(...sections);
  document.getElementById("nav").replaceChildren(...parts.map(([title], i) =>
    make("a", { href: `#${sections[i].id}`, title: `${i + 1}` }, title)));
}

function applySearch() {
  const found = document.getElementById("found");
  search.text = document.getElementById("search").value.trim().toLowerCase();
  const n = page.timeline ? page.timeline.find() : 0;
  found.value = search.text === "" ? "" : `${plural(n, "slice")}`;
  if (page.flame) page.flame.draw();
  if (page.functions) page.functions.draw();
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.getElementById("theme").textContent = dark ? "Light" : "Dark";
  if (page.timeline) page.timeline.draw();
  if (page.flame) page.flame.draw();
  if (page.detail && page.chosen) page.detail.replaceChildren(detailOf(page.chosen));
}

function onKey(event) {
  const box = document.getElementById("search"), keys = document.getElementById("keys");
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  if (event.target === box) {
    if (event.key === "Escape") {
      box.value = "";
      applySearch();
      box.blur();
    } else if (event.key === "Enter" && page.timeline) {
      const at = page.timeline.next(event.shiftKey ? -1 : 1);
      if (at) document.getElementById("found").value = at;
    }
    return;
  }
  if (event.target.tagName === "SELECT") return;
  const links = document.getElementById("nav").children;
  if (event.key === "/") box.focus();
  else if (event.key === "?") keys.showModal();
  else if (event.key === "t") setTheme(!isDark());
  else if (links[Number(event.key) - 1]) links[Number(event.key) - 1].click();
  else if (!page.timeline || !page.timeline.key(event.key)) return;
  event.preventDefault();
}

function start() {
  const select = document.getElementById("source");
  const sources = data.sources;
  document.title = `${data.capture} - etm report`;
  document.getElementById("capture").textContent = data.capture;
  page.source = sources.find((s) => s.instructions !== 0) || sources[0] || null;
  select.append(...sources.map((s, i) => make("option", { value: i, selected: s === page.source }, s.title)));
  document.getElementById("choice").hidden = sources.length < 2;
  select.addEventListener("change", () => {
    page.source = sources[Number(select.value)];
    draw();
    applySearch();
  });
  document.getElementById("search").addEventListener("input", applySearch);
  document.getElementById("theme").addEventListener("click", () => setTheme(!isDark()));
  document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());
  addEventListener("keydown", onKey);
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
  draw();
}

start();
