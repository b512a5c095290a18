/** A learning curve as an SVG picture: a band for the range over seeds, a line for their median, a dashed line for the bar. */
import { chartSvg } from "./chartSvg.ts";
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

const STYLE = {
  light: `
.range { fill: #2f6feb; fill-opacity: 0.22 }
.median { stroke: #2f6feb; stroke-width: 2; fill: none; stroke-linejoin: round }
.bar { stroke: #59636e; stroke-dasharray: 5 4 }`,
  dark: `
.range { fill: #58a6ff }
.median { stroke: #58a6ff }
.bar { stroke: #9198a1 }`,
};

/** Draws a curve as SVG. @throws RangeError if it has no points. */
export function curveSvg({ title, subtitle, spread, threshold, episodes }: Curve): string {
  const last = spread.at(-1);
  if (last === undefined) throw new RangeError("spread: found no points, allowed at least one");
  const values = [threshold, ...spread.flatMap(({ lowest, highest }) => [lowest, highest])];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = (most - least || 1) * 0.04;
  return chartSvg({
    title,
    subtitle,
    style: STYLE,
    across: { least: 0, most: last.steps, title: "environment steps of each agent" },
    up: { least: least - margin, most: most + margin, title: `mean return of ${episodes} greedy episodes` },
    marks: ({ place, level }) => {
      const band = [
        ...spread.map(({ steps, highest }) => place(steps, highest)),
        ...spread.map(({ steps, lowest }) => place(steps, lowest)).reverse(),
      ];
      const line = spread.map(({ steps, median }) => place(steps, median));
      return [
        level(threshold, "bar"),
        `<polygon class="range" points="${band.join(" ")}"/>`,
        `<polyline class="median" points="${line.join(" ")}"/>`,
      ];
    },
  });
}
