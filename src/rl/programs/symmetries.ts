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
import { drawInteger, pick } from "../environments/dynamics/numbers.ts";
import type { GameRules } from "../environments/face/GameRules.ts";

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

/** @throws RangeError naming the game, if its map does not keep the lines of the board. */
function placement(id: string, map: readonly number[], { cols, cells }: Grid): Placement {
  const [start = 0, second = 0] = map;
  const right = second - start;
  const down = cells > cols ? (map[cols] ?? 0) - start : 0;
  const placed = (i: number) => (i < cells ? start + down * Math.floor(i / cols) + right * (i % cols) : i);
  if (map.some((place, i) => place !== placed(i)))
    throw new RangeError(
      `${id}: symmetries: found the permutation ${map.join(", ")}, allowed those that keep the lines of the board`,
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

/**
 * Moves positions of a game by symmetries, the identity among them, each as likely as the others.
 * @param uniform A draw for each position, f32 [n].
 */
export function symmetricForms(rules: GameRules, uniform: Tensor): SymmetricForms {
  const { id, symmetries = [], observation_space, action_space } = rules;
  const n = uniform.shape[0] as Dim;
  const [rows = 1, cols = 1] = observation_space.shape;
  const board: Grid = { cols, cells: rows * cols };
  const choices: Grid = { cols, cells: Math.min(rows * cols, action_space.n) };
  const which = drawInteger(uniform, symmetries.length + 1);
  const placements = (maps: readonly (readonly number[])[], grid: Grid) => [
    ...maps.map((map) => placement(id, map, grid)),
    placement(
      id,
      Array.from({ length: grid.cells }, (_, i) => i),
      grid,
    ),
  ];
  const cellsFrom = placements(
    symmetries.map(({ cells }) => inverse(cells)),
    board,
  );
  const actionsFrom = placements(
    symmetries.map(({ actions }) => inverse(actions)),
    choices,
  );
  const actionsTo = placements(
    symmetries.map(({ actions }) => actions),
    choices,
  );
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
    actions: (x) => taken(x, action_space.n, actionsFrom, choices),
    action: (chosen) => moved(chosen, which, actionsTo, choices),
  };
}
