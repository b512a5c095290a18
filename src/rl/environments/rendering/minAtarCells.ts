/** What the MinAtar games show, read from their states for the eye; the agent's pictures are made by tensor programs. */
import { type CompiledEnvironment, variableShape } from "../compiledEnvironment.ts";
import { Asterix, Breakout, Freeway, Seaquest, SpaceInvaders } from "../minatar/index.ts";

/** An occupied cell of a channel: column x from the left, row y from the top. */
export interface Cell {
  readonly channel: string;
  readonly x: number;
  readonly y: number;
}

const SIDE = 10;
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** The state's variables by name. */
class Variables {
  readonly #values = new Map<string, readonly number[]>();

  constructor(environment: CompiledEnvironment, state: ArrayLike<number>) {
    const all = Array.from(state);
    let at = 0;
    for (const name of environment.variables) {
      const size = variableShape(environment, name).reduce((a, b) => a * b, 1);
      this.#values.set(name, all.slice(at, at + size));
      at += size;
    }
  }

  list(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  /** One number of a variable; 0 for one that is missing. */
  at(name: string, index = 0): number {
    return this.list(name)[index] ?? 0;
  }

  /** Cells of a grid kept as row bits. */
  grid(name: string, channel: string): Cell[] {
    return this.list(name).flatMap((bits, y) =>
      range(0, SIDE)
        .filter((x) => ((bits >> x) & 1) === 1)
        .map((x) => ({ channel, x, y })),
    );
  }
}

const breakout = (s: Variables): Cell[] => [
  ...s.grid("bricks", "brick"),
  { channel: "trail", x: s.at("last_x"), y: s.at("last_y") },
  { channel: "ball", x: s.at("ball_x"), y: s.at("ball_y") },
  { channel: "paddle", x: s.at("paddle"), y: SIDE - 1 },
];

const freeway = (s: Variables): Cell[] => [
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

function spaceInvaders(s: Variables): Cell[] {
  const heading = s.at("alien_direction") < 0 ? "alien_left" : "alien_right";
  return [
    ...s.grid("aliens", "alien"),
    ...s.grid("aliens", heading),
    ...s.grid("friendly_bullets", "friendly_bullet"),
    ...s.grid("enemy_bullets", "enemy_bullet"),
    { channel: "cannon", x: s.at("cannon"), y: SIDE - 1 },
  ];
}

const asterix = (s: Variables): Cell[] => [
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

function seaquest(s: Variables): Cell[] {
  /** Things in slots, with the cells behind those that leave a trail. */
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

/** The games, and how the cells of each are read, those in front last. */
const READERS = [
  [Asterix, asterix],
  [Breakout, breakout],
  [Freeway, freeway],
  [Seaquest, seaquest],
  [SpaceInvaders, spaceInvaders],
] as const;

/** Occupied cells of a game's state within the grid, for each game by id. */
export const minAtarCells: Readonly<Record<string, (state: ArrayLike<number>) => Cell[]>> =
  Object.fromEntries(
    READERS.map(([environment, read]) => [
      environment.id,
      (state: ArrayLike<number>) =>
        read(new Variables(environment, state)).filter(({ x }) => x >= 0 && x < SIDE),
    ]),
  );
