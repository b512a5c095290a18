import type { Cell, GameNumbers } from "../game/gameCells.ts";
import { SIDE } from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
export const breakoutCells = (s: GameNumbers): Cell[] => [
  ...s.grid("bricks", "brick"),
  { channel: "trail", x: s.at("last_x"), y: s.at("last_y") },
  { channel: "ball", x: s.at("ball_x"), y: s.at("ball_y") },
  { channel: "paddle", x: s.at("paddle"), y: SIDE - 1 },
];
