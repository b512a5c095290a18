import type { DrawEnvironment, DrawingContext } from "../../drawing/drawing.ts";
import { at, bars, disc, scene } from "../../drawing/scene.ts";
import type { GridSize } from "../../dynamics/numbers.ts";

type Point = readonly [x: number, y: number];

/** Distance between neighbouring rows, and from the centre of a hexagon to its corners; centres are 1 apart. */
const ROW = Math.sqrt(3) / 2;
const CORNER = 1 / Math.sqrt(3);
const MARGIN = 0.35;
const STONE = 0.34;

/** Corners of a hexagon around the origin, from the upper one clockwise. */
const CORNERS: readonly Point[] = [
  [0, CORNER],
  [0.5, CORNER / 2],
  [0.5, -CORNER / 2],
  [0, -CORNER],
  [-0.5, -CORNER / 2],
  [-0.5, CORNER / 2],
];

function hexagon(context: DrawingContext, [x, y]: Point, scale: number): void {
  context.beginPath();
  for (const [dx, dy] of CORNERS) context.lineTo(x + scale * dx, y + scale * dy);
  context.closePath();
  context.fill();
}

/**
 * A board of hexagons: the first numbers of a state are its stones. Each player's sides of the board have the colour of its
 * stones, and a ring marks the last move.
 */
export function drawHex({ rows, cols }: GridSize): DrawEnvironment {
  const centre = (row: number, col: number): Point => [col + row / 2, -row * ROW];
  /** The side along cells, by corners of each: one stroke for each part of it. */
  const side = (cells: readonly Point[], corners: readonly number[]) =>
    cells.flatMap(([x, y]) =>
      corners.slice(1).map((to, i) => {
        const [a, b] = [CORNERS[corners[i] ?? 0], CORNERS[to]] as readonly [Point, Point];
        return [
          [x + a[0], y + a[1]],
          [x + b[0], y + b[1]],
        ] as const;
      }),
    );
  const along = (count: number, cell: (i: number) => Point) =>
    Array.from({ length: count }, (_, i) => cell(i));
  const first = [
    ...side(
      along(cols, (col) => centre(0, col)),
      [5, 0, 1],
    ),
    ...side(
      along(cols, (col) => centre(rows - 1, col)),
      [4, 3, 2],
    ),
  ];
  const second = [
    ...side(
      along(rows, (row) => centre(row, 0)),
      [5, 4, 3],
    ),
    ...side(
      along(rows, (row) => centre(row, cols - 1)),
      [0, 1, 2],
    ),
  ];
  const frame = {
    left: -0.5 - MARGIN,
    right: cols - 1 + (rows - 1) / 2 + 0.5 + MARGIN,
    top: CORNER + MARGIN,
    bottom: -(rows - 1) * ROW - CORNER - MARGIN,
  };
  return scene(frame, (context, state, action, theme) => {
    bars(context, first, 0.16, theme.accent);
    bars(context, second, 0.16, theme.ink);
    for (let cell = 0; cell < rows * cols; cell++) {
      const place = centre(Math.floor(cell / cols), cell % cols);
      context.fillStyle = theme.ground;
      hexagon(context, place, 1);
      context.globalAlpha = 0.14;
      context.fillStyle = theme.muted;
      hexagon(context, place, 0.94);
      context.globalAlpha = 1;
      const stone = Math.round(at(state, cell));
      if (stone === 0) continue;
      disc(context, place[0], place[1], STONE, stone > 0 ? theme.accent : theme.ink);
      if (cell === action) disc(context, place[0], place[1], STONE / 3, theme.ground);
    }
  });
}
