/** Positions of a game in equivalent forms: each row of a batch in a symmetry of its own. */
import {
  add,
  cast,
  type Dim,
  floor,
  iota,
  less,
  mul,
  mulDims,
  reshape,
  select,
  sub,
  type Tensor,
  takeRows,
} from "../../kernels/index.ts";
import { counter, LEARNED, uniforms } from "../contract/inputs.ts";
import { drawInteger, pick } from "../environments/dynamics/numbers.ts";
import { type AgentSpaces, choicesOf } from "../spaces.ts";

/** What moves the values of rows; those of one position move together. */
export interface SymmetricForms {
  /** Of observations as network inputs, f32 [n, cells planes]. */
  readonly observation: (rows: Tensor) => Tensor;
  /** Of values of all actions, such as masks and policies, f32 [n, actions]. */
  readonly actions: (rows: Tensor) => Tensor;
  /** Of single actions, i32 [n]. */
  readonly action: (chosen: Tensor) => Tensor;
}

/** A permutation of a board's cells that keeps its lines: `start + down row + right col`. Numbers after them stay. */
interface Placement {
  readonly start: number;
  readonly down: number;
  readonly right: number;
}

/** Where values go, and where those at each place come from. */
function inverse(map: readonly number[]): number[] {
  const from = map.map(() => 0);
  for (const [i, place] of map.entries()) from[place] = i;
  return from;
}

interface Grid {
  readonly cols: number;
  /** Cells of the board among the numbers that a map permutes. */
  readonly cells: number;
}

/** @throws RangeError if a map does not keep the lines of the board. */
function placement(map: readonly number[], { cols, cells }: Grid): Placement {
  const [start = 0, second = 0] = map;
  const right = second - start;
  const down = cells > cols ? (map[cols] ?? 0) - start : 0;
  const placed = (i: number) => (i < cells ? start + down * Math.floor(i / cols) + right * (i % cols) : i);
  if (map.some((place, i) => place !== placed(i)))
    throw new RangeError(
      `symmetries: found the permutation ${map.join(", ")}, allowed those that keep the lines of the board`,
    );
  return { start, down, right };
}

/** Number `i` moved by each row's own map. @param i i32 [..., k]. @param which Index of the map, f32 [n] or [n, 1]. */
function moved(i: Tensor, which: Tensor, maps: readonly Placement[], { cols, cells }: Grid): Tensor {
  const of = (part: keyof Placement) =>
    cast(
      pick(
        which,
        maps.map((map) => map[part]),
      ),
      "i32",
    );
  const row = cast(floor(mul(add(cast(i, "f32"), 0.5), 1 / cols)), "i32");
  const col = sub(i, mul(row, cols));
  return select(less(i, cells), add(of("start"), add(mul(of("down"), row), mul(of("right"), col))), i);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/**
 * Moves positions of a game by its symmetries, the identity among them, each as likely as the others.
 * @param uniform A draw for each position, f32 [n].
 */
export function symmetricForms(
  { observation_space, action_space, symmetries = [] }: AgentSpaces,
  uniform: Tensor,
): SymmetricForms {
  const n = uniform.shape[0] as Dim;
  const actions = choicesOf(action_space);
  const [rows = 1, cols = 1] = observation_space.shape;
  const board: Grid = { cols, cells: rows * cols };
  const choices: Grid = { cols, cells: Math.min(rows * cols, actions) };
  const all = [...symmetries, { cells: range(board.cells), actions: range(actions) }];
  const which = drawInteger(uniform, all.length);
  const cellsFrom = all.map((symmetry) => placement(inverse(symmetry.cells), board));
  const actionsFrom = all.map((symmetry) => placement(inverse(symmetry.actions), choices));
  const actionsTo = all.map((symmetry) => placement(symmetry.actions, choices));
  /** Rows [n, places width] whose places are taken from others. */
  const taken = (x: Tensor, places: number, maps: readonly Placement[], grid: Grid): Tensor => {
    const from = moved(iota(places), reshape(which, [n, 1]), maps, grid);
    const first = reshape(mul(iota(n), places), [n, 1]);
    const lines = mulDims(n, places);
    const width = (x.shape[1] as number) / places;
    return reshape(takeRows(reshape(x, [lines, width]), reshape(add(from, first), [lines])), x.shape);
  };
  return {
    observation: (x) => taken(x, board.cells, cellsFrom, board),
    actions: (x) => taken(x, actions, actionsFrom, choices),
    action: (chosen) => moved(chosen, which, actionsTo, choices),
  };
}

const itself = (x: Tensor): Tensor => x;
const AS_THEY_ARE: SymmetricForms = { observation: itself, actions: itself, action: itself };

/**
 * The forms in which a learning step takes positions, new in each step.
 * @param row Number of each position in the data that the step learns from, u32 [n].
 */
export function learntForms(layout: AgentSpaces, row: Tensor): SymmetricForms {
  if (!layout.symmetries) return AS_THEY_ARE;
  const [uniform] = uniforms("symmetry", counter(LEARNED).read(), row, 1) as [Tensor];
  return symmetricForms(layout, uniform);
}
