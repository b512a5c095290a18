import type { Cell, GameNumbers } from "../game/gameCells.ts";
import { SIDE } from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
export function spaceInvadersCells(s: GameNumbers): Cell[] {
  const heading = s.at("alien_direction") < 0 ? "alien_left" : "alien_right";
  return [
    ...s.grid("aliens", "alien"),
    ...s.grid("aliens", heading),
    ...s.grid("friendly_bullets", "friendly_bullet"),
    ...s.grid("enemy_bullets", "enemy_bullet"),
    { channel: "cannon", x: s.at("cannon"), y: SIDE - 1 },
  ];
}
