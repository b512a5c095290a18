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
} from "../../../../kernels/index.ts";
import { Discrete } from "../../../spaces/index.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../../definition/randomEnvironment.ts";
import { type Cell, gridMove, slipped } from "../../dynamics/gridMove.ts";
import { frozenLakeDrawing } from "./drawFrozenLake.ts";
import {
  FROZEN_LAKE_DIRECTIONS,
  type FrozenLakeMapName,
  type FrozenLakeOptions,
  frozenLakeOptions,
} from "./frozenLakeMap.ts";

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
