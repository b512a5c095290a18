import type { Cell, GameNumbers } from "../game/gameCells.ts";

/** Occupied cells; cells in front come last. */
export const asterixCells = (s: GameNumbers): Cell[] => [
  ...s.list("entity_kind").flatMap((kind, i): Cell[] => {
    if (kind === 0) return [];
    const [x, y] = [s.at("entity_x", i), i + 1];
    return [
      { channel: "trail", x: x - s.at("entity_direction", i), y },
      { channel: kind === 1 ? "enemy" : "gold", x, y },
    ];
  }),
  { channel: "player", x: s.at("player_x"), y: s.at("player_y") },
];
