import { valuedBefore } from "../../../series/historyCells.ts";
import type { Descendants } from "../charts/descentModel.ts";

/** Path data in SVG syntax. */
interface DescentPaths {
  /** Lineages that ended before the shown generation, and everything after it. */
  readonly ended: string;
  /** Lineages that survive in the shown generation, by colour of descent. */
  readonly living: readonly string[];
}

interface Place {
  /** Pixel coordinate of a generation's row, and of a value. */
  readonly x: (row: number) => number;
  readonly y: (value: number) => number;
}

const COLOURS = 8;
const point = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Lines from every member to its predecessor: itself or its parent, not the member in the same slot. */
export function descentPaths(all: Descendants, values: Float64Array, { x, y }: Place): DescentPaths {
  const { columns, graph, fate, colours } = all;
  const { population, index } = columns;
  const ended: string[] = [];
  const living = Array.from({ length: COLOURS }, (): string[] => []);
  for (let cell = population; cell < columns.generations * population; cell += 1) {
    const value = values[cell] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    const before = valuedBefore(graph, values, cell);
    if (before < 0) continue;
    const from = point(x(Math.floor(before / population)), y(values[before] ?? Number.NaN));
    const to = point(x(Math.floor(cell / population)), y(value));
    const path = fate.survives[cell] === 1 ? living[colours.of(index[cell] ?? -1)] : ended;
    path?.push(`M${from}L${to}`);
  }
  return { ended: ended.join(""), living: living.map((parts) => parts.join("")) };
}

/** The line of one agent, back to its first ancestor. */
export function lineOf(
  { columns, graph }: Descendants,
  values: Float64Array,
  cell: number,
  { x, y }: Place,
): string {
  const points: string[] = [];
  for (let at = cell; at >= 0; at = graph.before(at)) {
    const value = values[at] ?? Number.NaN;
    if (Number.isFinite(value)) points.push(point(x(Math.floor(at / columns.population)), y(value)));
  }
  return points.length === 0 ? "" : `M${points.join("L")}`;
}
