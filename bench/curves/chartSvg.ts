/** The frame of an SVG chart: title, axes with round numbers, and colours that follow the page's light or dark theme. */

interface Axis {
  readonly least: number;
  readonly most: number;
  readonly title: string;
}

/** Where values stand in the picture. */
interface Places {
  /** A point, as `points` of a line takes it. */
  readonly place: (across: number, up: number) => string;
  /** A horizontal line over the whole plot. */
  readonly level: (up: number, kind: string) => string;
}

export interface Chart {
  readonly title: string;
  /** Description of the picture, shown under its title. */
  readonly subtitle: string;
  /** Rules of the marks' classes. */
  readonly style: { readonly light: string; readonly dark: string };
  readonly across: Axis;
  readonly up: Axis;
  /** Right edge of the plot (default: 690). What is right of it is room for words. */
  readonly right?: number;
  /** SVG elements over the grid. */
  readonly marks: (places: Places) => readonly string[];
}

const SIZE = { width: 720, height: 360 };
/** Plot area, enclosed by the axes. */
const PLOT = { left: 72, right: 690, top: 64, bottom: 306 };

/** Background and text colours change together, so that the picture is readable on any page. */
const STYLE = {
  light: `
.back { fill: #ffffff; stroke: #d0d7de }
text { fill: #1f2328; font: 12px system-ui, sans-serif }
.title { font-size: 15px; font-weight: 600 }
.quiet { fill: #59636e }
.grid { stroke: #d0d7de }`,
  dark: `
.back { fill: #0d1117; stroke: #3d444d }
text { fill: #f0f6fc }
.quiet { fill: #9198a1 }
.grid { stroke: #30363d }`,
};

/** Round numbers from `least` to `most` that divide the range into about `parts` steps. */
export function ticks(least: number, most: number, parts = 5): number[] {
  const rough = (most - least) / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(least / step);
  const count = Math.floor(most / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step);
}

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const label = (value: number): string => value.toLocaleString("en-US");

/** Draws a chart as SVG. */
export function chartSvg({ title, subtitle, style, across, up, right = PLOT.right, marks }: Chart): string {
  const x = (value: number) =>
    PLOT.left + ((value - across.least) / (across.most - across.least)) * (right - PLOT.left);
  const y = (value: number) =>
    PLOT.bottom - ((value - up.least) / (up.most - up.least)) * (PLOT.bottom - PLOT.top);
  const level = (value: number, kind: string) =>
    `<line class="${kind}" x1="${PLOT.left}" x2="${right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/>`;
  const rows = ticks(up.least, up.most).flatMap((value) => [
    level(value, "grid"),
    `<text class="quiet" text-anchor="end" x="${PLOT.left - 8}" y="${(y(value) + 4).toFixed(1)}">${label(value)}</text>`,
  ]);
  const columns = ticks(across.least, across.most, 6).map(
    (value) =>
      `<text class="quiet" text-anchor="middle" x="${x(value).toFixed(1)}" y="${PLOT.bottom + 18}">${label(value)}</text>`,
  );
  const middle = (PLOT.top + PLOT.bottom) / 2;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img">`,
    `<title>${escaped(`${title}. ${subtitle}`)}</title>`,
    `<style>${STYLE.light}${style.light}\n@media (prefers-color-scheme: dark) {${STYLE.dark}${style.dark}\n}\n</style>`,
    `<rect class="back" x="0.5" y="0.5" width="${SIZE.width - 1}" height="${SIZE.height - 1}" rx="6"/>`,
    `<text class="title" x="${PLOT.left}" y="28">${escaped(title)}</text>`,
    `<text class="quiet" x="${PLOT.left}" y="48">${escaped(subtitle)}</text>`,
    ...rows,
    ...columns,
    ...marks({ place: (a, b) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`, level }),
    `<text text-anchor="middle" x="${(PLOT.left + right) / 2}" y="${PLOT.bottom + 40}">${escaped(across.title)}</text>`,
    `<text text-anchor="middle" transform="translate(18 ${middle}) rotate(-90)">${escaped(up.title)}</text>`,
    "</svg>",
  ].join("\n")}\n`;
}
