/** FrozenLake: its maps, its drawing and its definitions. */
import { z } from "zod";
import {
  add,
  and,
  broadcastTo,
  cast,
  equal,
  mul,
  not,
  or,
  select,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { parseSpec } from "../../../specs/checks.ts";
import { Discrete } from "../../spaces.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, centre, disc, flag, gridScene, heading, tile, walker } from "../drawing/scene.ts";
import { type Cell, type Directions, gridMove, slipped } from "../dynamics/numbers.ts";
import type { EnvironmentOptions } from "../face/HostEnvironment.ts";

const FROZEN_LAKE_DIRECTIONS: Directions = { left: 0, down: 1, right: 2, up: 3 };

/** Gymnasium's maps. */
const FROZEN_LAKE_MAPS = {
  "4x4": ["SFFF", "FHFH", "FFFH", "HFFG"],
  "8x8": ["SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"],
} as const;

type FrozenLakeMapName = keyof typeof FROZEN_LAKE_MAPS;

/** Rows of letters: S start, F frozen, H hole, G goal. */
type FrozenLakeMap = readonly string[];

/** Upper bound of rows and columns, because every marked cell becomes part of the environment's program. */
const MOST_CELLS = 32;

const letters = (map: FrozenLakeMap, letter: string): number => map.join("").split(letter).length - 1;

const ownMap = z
  .array(z.string().regex(/^[SFHG]+$/, "must be a row of the letters S, F, H and G"))
  .min(1)
  .max(MOST_CELLS)
  .superRefine((map, context) => {
    const fail = (message: string) => context.addIssue({ code: "custom", message });
    const width = map[0]?.length ?? 0;
    if (map.some((row) => row.length !== width)) fail("has rows of different lengths; must have equal ones");
    if (width > MOST_CELLS) fail(`has rows of ${width} cells; must have at most ${MOST_CELLS}`);
    if (letters(map, "S") !== 1) fail(`has ${letters(map, "S")} starts (S); must have one`);
    if (letters(map, "G") === 0) fail("has no goal (G); must have one or more");
  });

const Options = z.strictObject({
  desc: ownMap.nullable().optional(),
  map_name: z.enum(Object.keys(FROZEN_LAKE_MAPS) as FrozenLakeMapName[]).optional(),
  is_slippery: z.boolean().default(true),
});

interface FrozenLakeOptions {
  readonly map: FrozenLakeMap;
  /** If true, a step goes in the chosen direction, or to its left or right, with probability 1/3 each. */
  readonly is_slippery: boolean;
}

/**
 * Gymnasium's arguments: `desc`, a custom map that takes precedence over `map_name`, and `is_slippery`.
 * @param map_name Default of the option `map_name`.
 * @throws SpecError naming each option that is unknown or invalid.
 */
function frozenLakeOptions(
  id: string,
  map_name: FrozenLakeMapName,
  given: EnvironmentOptions,
): FrozenLakeOptions {
  const { desc, map_name: named = map_name, is_slippery } = parseSpec(Options, given, id);
  return { map: desc ?? FROZEN_LAKE_MAPS[named], is_slippery };
}

function cell(
  context: DrawingContext,
  letter: string,
  place: readonly [number, number],
  theme: DrawingTheme,
): void {
  const [x, y] = place;
  tile(context, place, theme.muted, letter === "S" ? 0.4 : 0.18);
  if (letter === "H") {
    disc(context, x, y, 0.38, theme.ink);
    disc(context, x, y, 0.33, theme.ground);
  }
  if (letter === "G") flag(context, x - 0.14, y - 0.32, 0.66, theme);
}

/** A frozen lake, its holes and its goal. State: row, col. The arrow shows the chosen direction. */
const frozenLakeDrawing = (map: FrozenLakeMap): DrawEnvironment =>
  gridScene({ rows: map.length, cols: map[0]?.length ?? 0 }, (context, state, action, theme) => {
    for (const [row, line] of map.entries()) {
      for (let col = 0; col < line.length; col++)
        cell(context, line.charAt(col), centre(map.length, row, col), theme);
    }
    const place = centre(map.length, at(state, 0), at(state, 1));
    walker(context, place, heading(action, FROZEN_LAKE_DIRECTIONS), theme);
  });

/** Whether the map marks the cell with `letter`, bool [num_envs]. */
function isOn(map: readonly string[], letter: string, { row, col }: Cell): Tensor {
  const marked = map.flatMap((line, r) =>
    line.split("").flatMap((found, c) => (found === letter ? [and(equal(row, r), equal(col, c))] : [])),
  );
  const [first = zeros(row.shape, "bool"), ...others] = marked;
  return others.reduce((any, here) => or(any, here), first);
}

type Facts = Pick<CompiledEnvironment, "id" | "max_episode_steps" | "reward_threshold">;

/**
 * A walk from the start to the goal of a frozen lake with holes. The ice is slippery by default: a step goes
 * in the chosen direction, or to its left or right, with probability 1/3 each. Reward is 1 at the goal. The
 * goal and the holes end the episode.
 */
function frozenLake(
  facts: Facts,
  map_name: FrozenLakeMapName,
  { map, is_slippery }: FrozenLakeOptions = frozenLakeOptions(facts.id, map_name, {}),
): CompiledEnvironment {
  const size = { rows: map.length, cols: map[0]?.length ?? 0 };
  const row = map.findIndex((line) => line.includes("S"));
  const start = { row, col: map[row]?.indexOf("S") ?? 0 };
  return randomEnvironment({
    ...facts,
    withOptions: (given) => frozenLake(facts, map_name, frozenLakeOptions(facts.id, map_name, given)),
    draw: frozenLakeDrawing(map),
    frame_rate: 4,
    observation_space: new Discrete(size.rows * size.cols),
    action_space: new Discrete(4),
    action_names: ["left", "down", "right", "up"],
    variables: ["row", "col"],
    resetDraws: 0,
    stepDraws: is_slippery ? 1 : 0,
    reset: (_draws, num_envs) => ({
      row: broadcastTo(start.row, [num_envs]),
      col: broadcastTo(start.col, [num_envs]),
    }),
    observe: (at) => add(mul(at.row, size.cols), at.col),
    step: (from, action, [draw]) => {
      const way = cast(action, "f32");
      const moved = gridMove(from, draw ? slipped(way, draw) : way, FROZEN_LAKE_DIRECTIONS, size);
      // An agent that is placed on a hole or the goal stays there, as in Gymnasium's table.
      const over = or(isOn(map, "H", from), isOn(map, "G", from));
      const to = { row: select(over, from.row, moved.row), col: select(over, from.col, moved.col) };
      const atGoal = isOn(map, "G", to);
      return {
        state: to,
        reward: cast(and(atGoal, not(over)), "f32"),
        terminated: or(atGoal, isOn(map, "H", to)),
      };
    },
  });
}

/** Gymnasium's lake of 4 x 4 cells; best possible mean return 0.74. */
export const FrozenLake = frozenLake(
  { id: "FrozenLake-v1", max_episode_steps: 100, reward_threshold: 0.7 },
  "4x4",
);

/** Gymnasium's lake of 8 x 8 cells; best possible mean return 0.91. */
export const FrozenLake8x8 = frozenLake(
  { id: "FrozenLake8x8-v1", max_episode_steps: 200, reward_threshold: 0.85 },
  "8x8",
);
