/** Maps of mazes as text, and where their cells are. Columns and rows count from the upper left corner. */
import { z } from "zod";

/** Walls of a row are the bits of a whole number, which f32 represents exactly up to here. */
const MOST_CELLS = 24;

/** Named maps. */
export const MAZES = {
  open: ["#######", "#.....#", "#.....#", "#.....#", "#######"],
  umaze: ["#####", "#...#", "###.#", "#...#", "#####"],
  medium: ["########", "#..##..#", "#..#...#", "##...###", "#..#...#", "#.#..#.#", "#...#..#", "########"],
} as const;

/** A map: rows of #, a wall; ., a free cell; S, a cell where episodes may start; G, one where goals may be. */
export const MazeText = z
  .array(z.string().regex(/^[#.SG]+$/, "allowed: # (wall), . (free), S (start) and G (goal)"))
  .min(3)
  .max(MOST_CELLS)
  .superRefine((rows, context) => {
    const fail = (message: string): void => context.addIssue({ code: "custom", message });
    const [first = ""] = rows;
    const last = rows.length - 1;
    if (first.length > MOST_CELLS)
      fail(`found rows of ${first.length} cells, allowed: at most ${MOST_CELLS}`);
    if (rows.some(({ length }) => length !== first.length)) fail("rows have different lengths");
    else if (rows.some((row, i) => (i === 0 || i === last ? /[^#]/ : /^[^#]|[^#]$/).test(row)))
      fail("the border must be walls, #");
    const { starts, goals } = cellsOf(rows);
    if (starts.length === 0 || goals.length === 0 || (starts.length === 1 && `${starts}` === `${goals}`))
      fail("needs a cell to start from and another one for the goal");
  });

/** Column and row. */
export type MazeCell = readonly [col: number, row: number];

/** Cells where episodes may start and where goals may be: those marked, or all free ones if none is. */
export function cellsOf(rows: readonly string[]): Readonly<Record<"starts" | "goals", readonly MazeCell[]>> {
  const cells = rows.flatMap((text, row) =>
    text.split("").map((mark, col) => ({ mark, cell: [col, row] as const })),
  );
  const free = cells.filter(({ mark }) => mark !== "#");
  const marked = (mark: string) => {
    const own = free.filter((one) => one.mark === mark);
    return (own.length > 0 ? own : free).map(({ cell }) => cell);
  };
  return { starts: marked("S"), goals: marked("G") };
}
