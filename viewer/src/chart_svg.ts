// A plot as an SVG picture of its own: for print, for papers and for whoever wants the curves as curves.
import { written } from "./dom";
import type { Theme } from "./theme";
import { decades, roundTicks } from "./ticks";

export interface ChartLine {
  name: string;
  unit?: string; // of y
  color: string;
  dash: number[];
  x: ArrayLike<number>;
  y: ArrayLike<number | null>;
}

export interface ChartDescription {
  title: string;
  xLabel: string;
  yLabel: string;
  lines: ChartLine[];
  more?: number; // that are not drawn
  x: [number, number];
  y: [number, number];
  log: boolean; // of y
  marks: { x: number; text: string }[];
  equal?: boolean; // one unit is as long along x as along y
}

const chartSize = { width: 760, height: 300 };
const [left, right, top, bottom, row] = [74, 18, 30, 44, 16];
const font = "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\"";

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot" }[c]};`);
const short = (x: number) => x.toFixed(1).replace(/\.0$/, "");

// Pixel rows of the legend: names side by side as far as they fit.
function legendRows(lines: ChartLine[], width: number): ChartLine[][] {
  const rows: ChartLine[][] = [[]];
  let used = 0;
  for (const line of lines) {
    const needs = 34 + 7 * line.name.length;
    if (used + needs > width - left - right && rows.at(-1)!.length > 0) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)!.push(line);
    used += needs;
  }
  return rows;
}

// Both ranges widened so that a unit has the same length along both.
function equalRanges([x0, x1]: [number, number], [y0, y1]: [number, number], w: number, h: number): [[number, number], [number, number]] {
  const unit = Math.max((x1 - x0) / w, (y1 - y0) / h);
  const about = (a: number, b: number, length: number): [number, number] => [(a + b - length) / 2, (a + b + length) / 2];
  return [about(x0, x1, unit * w), about(y0, y1, unit * h)];
}

let pictures = 0;

export interface ChartFrame {
  svg: string;
  width: number;
  height: number;
  x: [number, number]; // the ranges that are shown
  y: [number, number];
  at(x: number, y: number): [number, number]; // in pixels
  value(px: number, py: number): [number, number]; // of a pixel, on linear axes
  inside(px: number, py: number): boolean;
}

export function chartSvg(chart: ChartDescription, theme: Theme, { width, height } = chartSize): ChartFrame {
  const legend = legendRows(chart.lines.filter(({ name }) => name), width);
  const [w, h] = [width - left - right, height - top - bottom];
  const whole = height + row * (legend.length + (chart.more ? 1 : 0));
  let [[x0, x1], [y0, y1]] = [chart.x, chart.y];
  if (x0 === x1) [x0, x1] = [x0 - 0.5, x1 + 0.5]; // a run of one row
  if (chart.equal) [[x0, x1], [y0, y1]] = equalRanges([x0, x1], [y0, y1], w, h);
  const px = (x: number) => left + ((x - x0) / (x1 - x0)) * w;
  const share = (y: number) => (chart.log ? Math.log(y / y0) / Math.log(y1 / y0) : (y - y0) / (y1 - y0));
  const py = (y: number) => top + h - share(y) * h;
  const parts: string[] = [];
  const text = (x: number, y: number, words: string, more = "") =>
    parts.push(`<text x="${short(x)}" y="${short(y)}" fill="${theme.text}" ${font} ${more}>${escaped(words)}</text>`);
  const grid = (a: number[], b: number[]) =>
    parts.push(`<path d="M${a.map(short).join(" ")}L${b.map(short).join(" ")}" stroke="${theme.faint}"/>`);

  parts.push(`<rect width="${width}" height="${whole}" fill="${theme.background}"/>`);
  for (const tick of roundTicks(x0, x1, 8)) {
    grid([px(tick), top], [px(tick), top + h]);
    text(px(tick), top + h + 16, written(tick), 'text-anchor="middle"');
  }
  for (const tick of chart.log ? decades(y0, y1) : roundTicks(y0, y1, 6)) {
    grid([left, py(tick)], [left + w, py(tick)]);
    text(left - 6, py(tick) + 4, written(tick), 'text-anchor="end"');
  }
  text(left, 18, chart.title, 'font-weight="600"');
  text(left + w / 2, top + h + 34, chart.xLabel, 'text-anchor="middle"');
  text(0, 0, chart.yLabel, `text-anchor="middle" transform="translate(16 ${short(top + h / 2)}) rotate(-90)"`);
  const inside = `inside${++pictures}`; // ids are shared by all pictures of a page
  parts.push(`<clipPath id="${inside}"><rect x="${left}" y="${top}" width="${w}" height="${h}"/></clipPath><g clip-path="url(#${inside})">`);
  let named = -Infinity; // where the last name stands; one that is too near is left to the title
  for (const mark of chart.marks) {
    if (mark.x < x0 || mark.x > x1) continue;
    const x = px(mark.x);
    parts.push(`<path d="M${short(x)} ${top}v${h}" stroke="${theme.mark}" stroke-opacity=".5" stroke-dasharray="4 3"><title>${escaped(mark.text)}</title></path>`);
    if (x - named < 10) continue;
    named = x;
    const at = mark.text.length > 3 ? `translate(${short(x - 2)} ${top + h - 4}) rotate(-90)` : `translate(${short(x + 2)} ${top + 9})`;
    parts.push(`<text transform="${at}" fill="${theme.markText}" ${font.replace('"12"', '"9"')}>${escaped(mark.text)}</text>`);
  }
  for (const line of chart.lines) parts.push(pathOf(line, px, py, [x0, x1], chart.log));
  parts.push("</g>", `<rect x="${left}" y="${top}" width="${w}" height="${h}" fill="none" stroke="${theme.metal}"/>`);
  legend.forEach((lines, k) => {
    let x = left;
    const y = height + row * k;
    for (const line of lines) {
      parts.push(`<path d="M${x} ${y}h22" stroke="${line.color}" stroke-width="2" stroke-dasharray="${line.dash.join(" ")}"/>`);
      text(x + 26, y + 4, line.name);
      x += 34 + 7 * line.name.length;
    }
  });
  if (chart.more) text(left, height + row * legend.length + 4, `and ${chart.more} more`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}">${parts.join("")}</svg>`;
  return {
    svg,
    width,
    height: whole,
    x: [x0, x1],
    y: [y0, y1],
    at: (x, y) => [px(x), py(y)],
    value: (x, y) => [x0 + ((x - left) / w) * (x1 - x0), y0 + ((top + h - y) / h) * (y1 - y0)],
    inside: (x, y) => x >= left && x <= left + w && y >= top && y <= top + h,
  };
}

// What is outside is left out, but for one point on either side.
function pathOf(line: ChartLine, px: (x: number) => number, py: (y: number) => number, [x0, x1]: [number, number], log: boolean): string {
  let path = "";
  let pen = false;
  const count = line.x.length;
  const ordered = count > 1 && line.x[count - 1] > line.x[0];
  for (let k = 0; k < count; ++k) {
    const y = line.y[k];
    if (ordered && ((line.x[k] < x0 && line.x[Math.min(k + 1, count - 1)] < x0) || (line.x[k] > x1 && line.x[Math.max(k - 1, 0)] > x1)))
      continue;
    const there = y !== null && Number.isFinite(y) && Number.isFinite(line.x[k]) && !(log && y <= 0);
    if (there) path += `${pen ? "L" : "M"}${short(px(line.x[k]))} ${short(py(y!))}`;
    pen = there;
  }
  const dash = line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(" ")}"` : "";
  return `<path d="${path}" fill="none" stroke="${line.color}" stroke-width="1.6" stroke-linejoin="round"${dash}/>`;
}
