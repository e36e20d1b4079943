/* The time line: tracks of nested slices, and plots of values, on a canvas. */
const SLICE = 19, LABEL = 18, PLOT = 74, AXIS = 24, TALLEST = 9000;

/* The flat array of a lane as columns. Of several slices that were put together
 * there is one, with how much of its duration is theirs. */
function readLane(flat, base) {
  const lane = { begin: [], end: [], name: [], n: [], busy: [] };
  let time = base;
  for (let i = 0; i < flat.length;) {
    time += flat[i];
    lane.begin.push(time);
    lane.end.push(time + flat[i + 1]);
    lane.name.push(flat[i + 2]);
    lane.n.push(flat[i + 3]);
    const several = flat[i + 3] > 1;
    lane.busy.push(several ? flat[i + 4] : flat[i + 1]);
    i += several ? 5 : 4;
  }
  return lane;
}

/* The values of a variable; null is one that is infinite or none. */
function readPlot(track, base) {
  const plot = { time: [], least: [], most: [], last: [], n: [], hex: track.hex, texts: new Map(track.texts) };
  const flat = track.values;
  let time = base, low = Infinity, high = -Infinity;
  for (let i = 0; i < flat.length; i += 5) {
    time += flat[i];
    plot.time.push(time);
    plot.least.push(flat[i + 1]);
    plot.most.push(flat[i + 2]);
    plot.last.push(flat[i + 3]);
    plot.n.push(flat[i + 4]);
    low = Math.min(low, flat[i + 1] ?? low);
    high = Math.max(high, flat[i + 2] ?? high);
  }
  return Object.assign(plot, low > high ? { low: 0, high: 0 } : { low, high });
}

/* A value as the program has it: "RUNNING (5)", "0x20000004", "-0.1". */
function showValue(plot, value) {
  if (value == null) return "no number";
  const shown = plot.hex ? `0x${value.toString(16).padStart(2 * plot.hex, "0")}`
    : Number.isInteger(value) ? number(value) : String(value);
  const name = plot.texts.get(value);
  return name == null ? shown : `${data.names[name]} (${shown})`;
}

/* The index of the last one that is not after it; -1: all are. */
function lastUpTo(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

class Timeline {
  /* `kinds`: of the tracks that it has. */
  constructor(place, sources, kinds) {
    this.unit = sources[0].timeline.unit;
    this.canvas = make("canvas", { tabindex: 0, role: "img",
      "aria-label": "Time line: w and s zoom, a and d move, 0 shows all of it" });
    this.axis = make("canvas", { "aria-hidden": "true" });
    this.axis.style.position = "sticky";
    this.axis.style.top = 0;
    this.axis.style.background = "var(--back)";
    this.frame = make("div", { class: "scroll" }, this.axis, this.canvas);
    this.frame.style.maxHeight = "70vh";
    place.append(this.frame);
    this.read(sources, kinds);
    this.all();
    this.listen();
    onWidth(this.frame, () => this.draw());
  }

  /* Rows from the top; times begin with the first one of all sources. */
  read(sources, kinds) {
    const used = sources.filter((s) => s.timeline.tracks.some((t) => t.lanes.length !== 0 || (t.values || []).length !== 0));
    this.base = used.map((s) => BigInt(s.timeline.base)).reduce((a, b) => (b < a ? b : a),
      BigInt(used.length ? used[0].timeline.base : 0));
    this.rows = [];
    this.span = 1;
    this.hits = [];
    let y = 4;
    const add = (row, height) => {
      if (y + height < TALLEST) this.rows.push(Object.assign(row, { y, height }));
      y += height;
    };
    for (const source of used) {
      const base = Number(BigInt(source.timeline.base) - this.base);
      const tracks = source.timeline.tracks.filter((t) => kinds.includes(t.kind) &&
        (t.lanes.length !== 0 || (t.values || []).length !== 0));
      this.span = Math.max(this.span, base + source.timeline.span);
      if (sources.length > 1 && tracks.length !== 0) add({ title: source.title }, LABEL + 6);
      for (const track of tracks) {
        add({ label: data.names[track.name] }, LABEL);
        for (const flat of track.lanes)
          add({ lane: readLane(flat, base), kind: track.kind }, SLICE);
        if ((track.values || []).length !== 0)
          add({ plot: readPlot(track, base), end: base + source.timeline.span }, PLOT);
        y += 5;
      }
    }
    this.tall = Math.min(y + 4, TALLEST);
    this.cut = y > TALLEST;
  }

  all() { this.show(0, this.span); }

  show(from, to) {
    const width = Math.min(Math.max(to - from, Math.min(8, this.span)), this.span * 1.1);
    this.from = Math.min(Math.max(from, -0.05 * this.span), this.span * 1.05 - width);
    this.to = this.from + width;
    this.draw();
  }

  zoom(factor, at) {
    const middle = at == null ? (this.from + this.to) / 2 : at;
    this.show(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
  }

  move(part) {
    const by = part * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }

  x(time) { return ((time - this.from) / (this.to - this.from)) * this.width; }
  time(x) { return this.from + (x / this.width) * (this.to - this.from); }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.width = this.canvas.clientWidth;
      if (this.width === 0) return;
      this.drawAxis();
      const pen = prepareCanvas(this.canvas, this.tall);
      this.drawGrid(pen);
      for (const row of this.rows) {
        if (row.lane) this.drawLane(pen, row);
        else if (row.plot) this.drawPlot(pen, row);
        else this.drawLabel(pen, row);
      }
      if (this.selection) {
        pen.fillStyle = isDark() ? "rgba(125,183,255,.25)" : "rgba(11,87,183,.18)";
        pen.fillRect(this.selection[0], 0, this.selection[1] - this.selection[0], this.tall);
      }
    });
  }

  /* Times of the axis: so many, and round. */
  ticks() {
    const raw = (this.to - this.from) / Math.max(2, this.width / 120);
    const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) || 10 * power;
    const list = [];
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) list.push(t);
    return list;
  }

  drawAxis() {
    const pen = prepareCanvas(this.axis, AXIS);
    pen.fillStyle = style("--dim");
    for (const time of this.ticks()) {
      pen.fillRect(this.x(time), AXIS - 6, 1, 6);
      putText(pen, number(time), this.x(time) + 4, AXIS / 2, 116);
    }
  }

  drawGrid(pen) {
    pen.fillStyle = style("--panel");
    for (const time of this.ticks()) pen.fillRect(this.x(time), 0, 1, this.tall);
  }

  drawLabel(pen, row) {
    pen.fillStyle = style(row.title ? "--text" : "--dim");
    pen.font = `${row.title ? "bold " : ""}12px system-ui, "DejaVu Sans", sans-serif`;
    putText(pen, row.title || row.label, 6, row.y + row.height / 2 + 1, this.width - 12);
    pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
  }

  drawLane(pen, row) {
    const { begin, end, name, n, busy } = row.lane;
    const text = style("--text"), gap = style("--gap");
    let filled = -1;
    for (let i = Math.max(0, lastUpTo(begin, this.from)); i < begin.length && begin[i] <= this.to; i++) {
      const right = this.x(end[i]);
      if (right < 0 || (right < filled && right - this.x(begin[i]) < 1)) continue;
      const left = Math.max(this.x(begin[i]), -2);
      const width = Math.max(Math.min(right, this.width + 2) - left, 1);
      const called = data.names[name[i]], hit = matches(called);
      const many = n[i] > 1;
      const full = row.height - 2;
      const high = many ? Math.max(4, full * Math.min(1, busy[i] / Math.max(1, end[i] - begin[i]))) : full;
      pen.fillStyle = row.kind === "gaps" ? gap : colourOf(called, search.text !== "" && !hit);
      pen.fillRect(left, row.y + full - high, width - (width > 3 ? 1 : 0), high);
      filled = left + 1;
      if (hit) {
        pen.fillStyle = style("--accent");
        pen.fillRect(left, row.y + full - 2, width, 2);
      }
      if (width < 20) continue;
      pen.fillStyle = text;
      putText(pen, many ? `${brief(n[i])} \u00d7 ${called} \u2026` : called, Math.max(left, 0) + 4,
        row.y + full / 2 + 1, Math.min(right, this.width) - Math.max(left, 0) - 7);
    }
  }

  drawPlot(pen, row) {
    const { time, least, most, last, low, high, texts } = row.plot;
    const tall = row.height - 12, y = (v) => row.y + 4 + tall * (1 - (v - low) / (high - low || 1));
    const first = Math.max(0, lastUpTo(time, this.from)), text = style("--text");
    const until = (i) => Math.min(this.x(i + 1 < time.length ? time[i + 1] : row.end), this.width + 2);
    pen.strokeStyle = style("--accent");
    pen.lineWidth = 1.5;
    pen.fillStyle = text;
    pen.beginPath();
    for (let i = first; i < time.length && time[i] <= this.to; i++) {
      const x = this.x(time[i]), at = last[i] == null ? null : y(last[i]);
      if (least[i] !== most[i]) {
        pen.moveTo(x, y(least[i]));
        pen.lineTo(x, y(most[i]));
      }
      if (at == null) continue;
      pen.moveTo(x, i > first && last[i - 1] != null ? y(last[i - 1]) : at);
      pen.lineTo(x, at);
      pen.lineTo(until(i), at);
      if (texts.has(last[i]) && until(i) - x >= 24)
        putText(pen, data.names[texts.get(last[i])], Math.max(x, 0) + 4, at + (at > row.y + 20 ? -8 : 9), until(i) - Math.max(x, 0) - 6);
    }
    pen.stroke();
    pen.lineWidth = 1;
    pen.fillStyle = style("--dim");
    if (texts.size !== 0) return;
    putText(pen, showValue(row.plot, high), 6, row.y + 8, 200);
    if (high !== low) putText(pen, showValue(row.plot, low), 6, row.y + tall, 200);
  }

  rowAt(y) { return this.rows.find((row) => y >= row.y && y < row.y + row.height); }

  /* What is under the pointer: a slice that is as near as 2 pixels. */
  sliceAt(x, y) {
    const row = this.rowAt(y);
    if (!row || !row.lane) return null;
    const near = (2 / this.width) * (this.to - this.from);
    const i = lastUpTo(row.lane.begin, this.time(x) + near);
    return i >= 0 && row.lane.end[i] >= this.time(x) - near ? { lane: row.lane, i, row } : null;
  }

  tell(found) {
    const { lane, i } = found, lasts = lane.end[i] - lane.begin[i];
    const called = data.names[lane.name[i]];
    const at = `at ${number(lane.begin[i])}, for ${number(lasts)} ${this.unit}`;
    if (lane.n[i] === 1) return `${called}\n${at}`;
    return `${number(lane.n[i])} slices, put together; the longest: ${called}\n${at}, ` +
      `of which they take ${number(lane.busy[i])}`;
  }

  tellAt(x, y) {
    const found = this.sliceAt(x, y), row = this.rowAt(y);
    if (found) return this.tell(found);
    if (!row || !row.plot) return null;
    const i = lastUpTo(row.plot.time, this.time(x));
    if (i < 0) return null;
    const p = row.plot;
    return `${showValue(p, p.last[i])} from ${number(p.time[i])} ${this.unit} on` +
      (p.n[i] > 1 ? `\n${number(p.n[i])} values, ${showValue(p, p.least[i])} to ${showValue(p, p.most[i])}` : "");
  }

  listen() {
    const canvas = this.canvas;
    let drag = null;
    canvas.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.shiftKey || event.metaKey) {
        event.preventDefault();
        const turn = event.deltaY || event.deltaX;
        this.zoom(turn > 0 ? 1.25 : 0.8, this.time(event.offsetX));
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        this.move(event.deltaX / this.width);
      }
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      drag = { x: event.offsetX, y: event.clientY, from: this.from, to: this.to,
        top: this.frame.scrollTop, select: event.shiftKey };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return showTip(event, this.tellAt(event.offsetX, event.offsetY));
      const by = ((drag.x - event.offsetX) / this.width) * (drag.to - drag.from);
      if (drag.select) {
        this.selection = [drag.x, event.offsetX].sort((a, b) => a - b);
        this.draw();
      } else {
        this.frame.scrollTop = drag.top + drag.y - event.clientY;
        this.show(drag.from + by, drag.to + by);
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      const still = drag && Math.abs(drag.x - event.offsetX) < 3;
      if (this.selection && !still)
        this.show(this.time(this.selection[0]), this.time(this.selection[1]));
      this.selection = null;
      const found = still && this.sliceAt(event.offsetX, event.offsetY);
      drag = null;
      if (found && this.chosen) this.chosen(data.names[found.lane.name[found.i]]);
      this.draw();
    });
    canvas.addEventListener("dblclick", (event) => {
      const found = this.sliceAt(event.offsetX, event.offsetY);
      if (found) this.goTo(found.lane.begin[found.i], found.lane.end[found.i]);
    });
    canvas.addEventListener("pointerleave", (event) => showTip(event, null));
  }

  goTo(begin, end) {
    const around = Math.max(end - begin, this.span / 1e6, 4);
    this.show(begin - 0.3 * around, end + 0.3 * around);
  }

  /* A key of the time line; false: it is none. */
  key(key) {
    const keys = { w: () => this.zoom(0.6), "+": () => this.zoom(0.6), s: () => this.zoom(1.6),
      "-": () => this.zoom(1.6), a: () => this.move(-0.25), d: () => this.move(0.25),
      ArrowLeft: () => this.move(-0.25), ArrowRight: () => this.move(0.25), 0: () => this.all() };
    if (!keys[key]) return false;
    keys[key]();
    return true;
  }

  /* Find the slices that match, in the order of time. */
  find() {
    this.hits = [];
    this.hit = -1;
    const wanted = data.names.map(matches);
    for (const row of this.rows)
      for (let i = 0; row.lane && i < row.lane.name.length; i++)
        if (wanted[row.lane.name[i]]) this.hits.push([row.lane.begin[i], row.lane.end[i], row]);
    this.hits.sort((a, b) => a[0] - b[0]);
    this.draw();
    return this.hits.length;
  }

  next(by) {
    if (this.hits.length === 0) return null;
    this.hit = this.hit < 0 ? (by > 0 ? 0 : this.hits.length - 1)
      : (this.hit + by + this.hits.length) % this.hits.length;
    const [begin, end, row] = this.hits[this.hit];
    const view = this.to - this.from, lasts = end - begin;
    if (lasts > view || lasts < view / 40) this.goTo(begin - 8 * lasts, end + 8 * lasts);
    else this.show(begin + lasts / 2 - view / 2, begin + lasts / 2 + view / 2);
    if (row.y < this.frame.scrollTop || row.y + 40 > this.frame.scrollTop + this.frame.clientHeight)
      this.frame.scrollTop = row.y - 60;
    return `${number(this.hit + 1)} of ${number(this.hits.length)}`;
  }
}
