/** A learning curve as an SVG picture: a band for the range over seeds, a line for their median, a dashed line for the bar. */
import type { Spread } from "./spread.ts";

export interface Curve {
  readonly title: string;
  /** Description of the picture, shown under its title. */
  readonly subtitle: string;
  readonly spread: readonly Spread[];
  /** Score at which the task counts as solved. */
  readonly threshold: number;
  /** Number of episodes that each point averages. */
  readonly episodes: number;
}

const SIZE = { width: 720, height: 360 };
/** Plot area, enclosed by the axes. */
const PLOT = { left: 72, right: 690, top: 64, bottom: 306 };

/** Background and text colours change together, so that the picture is readable on any page. */
const STYLE = `
.back { fill: #ffffff; stroke: #d0d7de }
text { fill: #1f2328; font: 12px system-ui, sans-serif }
.title { font-size: 15px; font-weight: 600 }
.quiet { fill: #59636e }
.grid { stroke: #d0d7de }
.range { fill: #2f6feb; fill-opacity: 0.22 }
.median { stroke: #2f6feb; stroke-width: 2; fill: none; stroke-linejoin: round }
.bar { stroke: #59636e; stroke-dasharray: 5 4 }
@media (prefers-color-scheme: dark) {
.back { fill: #0d1117; stroke: #3d444d }
text { fill: #f0f6fc }
.quiet { fill: #9198a1 }
.grid { stroke: #30363d }
.range { fill: #58a6ff }
.median { stroke: #58a6ff }
.bar { stroke: #9198a1 }
}`;

/** Round numbers from `least` to `most` that divide the range into about `parts` steps. */
export function ticks(least: number, most: number, parts = 5): number[] {
  const rough = (most - least) / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(least / step);
  const count = Math.floor(most / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step);
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const label = (value: number): string => value.toLocaleString("en-US");

/** Draws a curve as SVG. @throws RangeError if it has no points. */
export function curveSvg({ title, subtitle, spread, threshold, episodes }: Curve): string {
  const last = spread.at(-1);
  if (last === undefined) throw new RangeError("spread: found no points, allowed at least one");
  const values = [threshold, ...spread.flatMap(({ lowest, highest }) => [lowest, highest])];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = (most - least || 1) * 0.04;
  const [bottom, top] = [least - margin, most + margin];
  const x = (steps: number) => PLOT.left + (steps / last.steps) * (PLOT.right - PLOT.left);
  const y = (score: number) => PLOT.bottom - ((score - bottom) / (top - bottom)) * (PLOT.bottom - PLOT.top);
  const place = (steps: number, score: number) => `${x(steps).toFixed(1)},${y(score).toFixed(1)}`;
  const band = [
    ...spread.map(({ steps, highest }) => place(steps, highest)),
    ...spread.map(({ steps, lowest }) => place(steps, lowest)).reverse(),
  ];
  const line = spread.map(({ steps, median }) => place(steps, median));
  const across = (score: number, kind: string) =>
    `<line class="${kind}" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(score).toFixed(1)}" y2="${y(score).toFixed(1)}"/>`;
  const rows = ticks(bottom, top).flatMap((score) => [
    across(score, "grid"),
    `<text class="quiet" text-anchor="end" x="${PLOT.left - 8}" y="${(y(score) + 4).toFixed(1)}">${label(score)}</text>`,
  ]);
  const columns = ticks(0, last.steps, 6).map(
    (steps) =>
      `<text class="quiet" text-anchor="middle" x="${x(steps).toFixed(1)}" y="${PLOT.bottom + 18}">${label(steps)}</text>`,
  );
  const middle = (PLOT.top + PLOT.bottom) / 2;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img">`,
    `<title>${escaped(`${title}. ${subtitle}`)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="back" x="0.5" y="0.5" width="${SIZE.width - 1}" height="${SIZE.height - 1}" rx="6"/>`,
    `<text class="title" x="${PLOT.left}" y="28">${escaped(title)}</text>`,
    `<text class="quiet" x="${PLOT.left}" y="48">${escaped(subtitle)}</text>`,
    ...rows,
    across(threshold, "bar"),
    ...columns,
    `<polygon class="range" points="${band.join(" ")}"/>`,
    `<polyline class="median" points="${line.join(" ")}"/>`,
    `<text text-anchor="middle" x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 40}">environment steps of each agent</text>`,
    `<text text-anchor="middle" transform="translate(18 ${middle}) rotate(-90)">mean return of ${episodes} greedy episodes</text>`,
    "</svg>",
  ].join("\n")}\n`;
}
