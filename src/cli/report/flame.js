/* The flame graph, from the top down: what each stack of functions costs. */
class Flame {
  constructor(place, source, chosen) {
    this.source = source;
    this.chosen = chosen;
    this.canvas = make("canvas", { tabindex: 0, role: "img",
      "aria-label": "Flame graph: arrows go to callers, callees and neighbours, 0 shows all of it" });
    this.line = make("p", { class: "dim" });
    place.append(this.canvas, this.line);
    this.read(source.flame);
    this.listen();
    onWidth(place, () => this.draw());
  }

  /* Nodes in the order of the tree, under one that is all of them. */
  read(flat) {
    const root = { name: "all", depth: -1, self: 0, total: 0, calls: 0, start: 0, children: [] };
    const above = [root];
    for (let i = 0; i < flat.length; i += 5) {
      const node = { depth: flat[i], name: data.names[flat[i + 1]], self: flat[i + 2],
        total: flat[i + 3], calls: flat[i + 4], children: [], parent: above[flat[i]] };
      node.parent.children.push(node);
      above[node.depth + 1] = node;
    }
    root.total = root.children.reduce((sum, node) => sum + node.total, 0);
    this.nodes = [];
    const place = (node, start) => {
      node.start = start;
      this.nodes.push(node);
      node.children.sort((a, b) => b.total - a.total);
      for (const child of node.children) {
        place(child, start);
        start += child.total;
      }
    };
    place(root, 0);
    this.root = this.top = root;
    this.rows = Math.min(80, 2 + this.nodes.reduce((most, node) => Math.max(most, node.depth), 0));
  }

  isAbove(node) { return node.start <= this.top.start && node.start + node.total >= this.top.start + this.top.total && node.depth <= this.top.depth; }

  draw() {
    this.width = this.canvas.clientWidth;
    if (this.width === 0) return;
    const pen = prepareCanvas(this.canvas, this.rows * SLICE + 4);
    const scale = this.width / (this.top.total || 1), text = style("--text");
    this.drawn = [];
    for (const node of this.nodes) {
      const above = this.isAbove(node);
      const left = above ? 0 : (node.start - this.top.start) * scale;
      const width = above ? this.width : node.total * scale;
      if (width < 0.4 || left >= this.width || left + width <= 0) continue;
      const y = (node.depth + 1) * SLICE + 2, hit = matches(node.name);
      this.drawn.push([left, left + width, y, node]);
      pen.fillStyle = colourOf(node.name, (search.text !== "" && !hit) || node === this.root);
      pen.fillRect(left, y, Math.max(width - 0.7, 0.5), SLICE - 1.5);
      if (hit) {
        pen.fillStyle = style("--accent");
        pen.fillRect(left, y + SLICE - 4, width, 2);
      }
      pen.fillStyle = text;
      putText(pen, node.name, left + 4, y + SLICE / 2, width - 7);
    }
    this.tellLine();
  }

  tellLine() {
    const found = search.text === "" ? 0 : this.found();
    this.line.textContent = `${this.tell(this.top)}${found ? `; found: ${percent(found, this.root.total)}` : ""}`;
  }

  /* What the found functions cost with all that they call. */
  found() {
    let sum = 0;
    const walk = (node) => {
      if (matches(node.name)) sum += node.total;
      else node.children.forEach(walk);
    };
    walk(this.root);
    return sum;
  }

  tell(node) {
    const unit = this.source.cost_unit;
    return `${node.name}: ${number(node.total)} ${unit} (${percent(node.total, this.root.total)})` +
      (node === this.root ? "" : `, itself ${number(node.self)}, ${plural(node.calls, "call")}`);
  }

  at(event) {
    const hit = this.drawn.find(([left, right, y]) => event.offsetX >= left && event.offsetX < right &&
      event.offsetY >= y && event.offsetY < y + SLICE);
    return hit && hit[3];
  }

  go(node) {
    if (!node) return;
    this.top = node;
    this.draw();
  }

  listen() {
    this.canvas.addEventListener("pointermove", (event) => {
      const node = this.at(event);
      showTip(event, node && this.tell(node));
    });
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, null));
    this.canvas.addEventListener("click", (event) => {
      const node = this.at(event);
      this.go(node);
      if (node && node !== this.root) this.chosen(node.name);
    });
    this.canvas.addEventListener("keydown", (event) => {
      const around = this.top.parent ? this.top.parent.children : [this.top];
      const i = around.indexOf(this.top);
      const to = { ArrowUp: this.top.parent, ArrowDown: this.top.children[0], ArrowLeft: around[i - 1],
        ArrowRight: around[i + 1], 0: this.root }[event.key];
      if (!to) return;
      event.preventDefault();
      event.stopPropagation();
      this.go(to);
    });
  }
}
