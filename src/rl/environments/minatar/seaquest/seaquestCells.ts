import { type Cell, type GameNumbers, range, SIDE } from "../game/board.ts";

/** Occupied cells; cells in front come last. */
export function seaquestCells(s: GameNumbers): Cell[] {
  /** Cells of the objects in slots, with the cells behind them if they leave a trail. */
  const slots = (kind: string, channel: (slot: number) => string, trail: boolean): Cell[] =>
    s.list(`${kind}_direction`).flatMap((direction, slot): Cell[] => {
      if (direction === 0) return [];
      const [x, y] = [s.at(`${kind}_x`, slot), s.at(`${kind}_y`, slot)];
      return [
        ...(trail ? [{ channel: "trail", x: x - direction, y }] : []),
        { channel: channel(slot), x, y },
      ];
    });
  const bottom = (channel: string, from: number, to: number): Cell[] =>
    range(from, to).map((x) => ({ channel, x, y: SIDE - 1 }));
  const [x, y] = [s.at("sub_x"), s.at("sub_y")];
  return [
    ...bottom("oxygen_guage", 0, Math.floor(Math.max(0, s.at("oxygen")) / 20)),
    ...bottom("diver_guage", SIDE - 1 - s.at("diver_count"), SIDE - 1),
    ...slots("diver", () => "diver", true),
    ...slots("enemy", (slot) => (s.at("enemy_kind", slot) === 1 ? "enemy_fish" : "enemy_sub"), true),
    ...slots("bullet", () => "friendly_bullet", false),
    ...s.grid("enemy_bullets_left", "enemy_bullet"),
    ...s.grid("enemy_bullets_right", "enemy_bullet"),
    { channel: "sub_back", x: x - s.at("sub_direction"), y },
    { channel: "sub_front", x, y },
  ];
}
