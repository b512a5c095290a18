import type { Cell, GameNumbers } from "../game/gameCells.ts";
import { SIDE } from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
export const freewayCells = (s: GameNumbers): Cell[] => [
  ...s.list("car_speed").flatMap((speed, i): Cell[] => {
    const [x, y] = [s.at("car_x", i), i + 1];
    const behind = (x - Math.sign(speed) + SIDE) % SIDE;
    return [
      { channel: `speed${Math.abs(speed)}`, x: behind, y },
      { channel: "car", x, y },
    ];
  }),
  { channel: "chicken", x: 4, y: s.at("chicken") },
];
