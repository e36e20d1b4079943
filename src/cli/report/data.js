/* The data of the page, and what all of its parts use. */
const data = JSON.parse(document.getElementById("data").textContent);

/* An element with attributes; functions among them are listeners. Text is only
 * ever put in as text: names come from the traced program. */
function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

const digits = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const number = (n) => (n == null ? "-" : digits.format(n));
const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many || one + "s"}`;
const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(2)} %` : "-");

/* "1.25 M" where there is little room. */
function brief(n) {
  for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
    if (Math.abs(n) >= size)
      return `${digits.format(n / (unit === "k" ? 1e3 : size))} ${unit}`;
  return number(n);
}

/* What the search is for, and who shows what it finds. */
const search = { text: "", listeners: [] };
const matches = (name) =>
  search.text !== "" && name.toLowerCase().includes(search.text);

const isDark = () => document.documentElement.dataset.theme === "dark";
const style = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* A colour for each name, the same wherever it is. */
const hues = new Map();
function hueOf(name) {
  if (!hues.has(name)) {
    let hash = 2166136261;
    for (let i = 0; i < name.length; i++)
      hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
    hues.set(name, (hash >>> 8) % 360);
  }
  return hues.get(name);
}

function colourOf(name, faint) {
  if (faint) return isDark() ? "hsl(210 6% 24%)" : "hsl(210 10% 90%)";
  return isDark()
    ? `hsl(${hueOf(name)} 38% 30%)`
    : `hsl(${hueOf(name)} 62% 80%)`;
}

/* A canvas as sharp as the screen is. */
function prepareCanvas(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
  pen.textBaseline = "middle";
  pen.clearRect(0, 0, width, height);
  return pen;
}

/* Call a function when an element gets a width, and another one. */
function onWidth(element, act) {
  let width = 0;
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    act();
  })).observe(element);
}

/* As much of a text as fits. */
function putText(pen, text, x, y, width) {
  if (width < 16) return;
  let shown = text;
  if (pen.measureText(text).width > width) {
    const fits = Math.floor(width / 6.2);
    if (fits < 3) return;
    shown = `${text.slice(0, fits - 1)}\u2026`;
    if (pen.measureText(shown).width > width + 4) shown = text.slice(0, fits - 2);
  }
  pen.fillText(shown, x, y);
}

const tip = document.getElementById("tip");
function showTip(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const above = event.clientY + 18 + tip.offsetHeight > innerHeight;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${above ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18}px`;
}
