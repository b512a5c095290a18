/** Environment lanes inside programs: observations as network input, and returns of finished episodes. */
import {
  add,
  cast,
  column,
  concat,
  constant,
  type Dim,
  dimValue,
  div,
  equal,
  floor,
  iota,
  mul,
  reshape,
  select,
  slice,
  state,
  sub,
  sum,
  sumAll,
  sym,
  type Tensor,
} from "../../kernels/index.ts";
import { SYMBOLS, uniforms } from "../contract/inputs.ts";
import { carryState, type StepDraws, vectorReset } from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { type Box, flatSize, imageLayout, isImage, type Space } from "../spaces.ts";
import { RUNNING } from "./laneBuffers.ts";
import type { AgentStructure } from "./learning.ts";
import { normalized } from "./normalization.ts";

/** Pixels [n, width], channels last. `normalized`: scaled to [0, 1] by the space's bounds, if it has them. */
function imageInput(space: Box, obs: Tensor, normalized: boolean): Tensor {
  const n = obs.shape[0] as Dim;
  const { shape, channelsLast, images, bounds } = imageLayout(space);
  const [channels, height, width] = shape;
  const rows = reshape(obs, [n, flatSize(space)]);
  const places = height * width;
  // Channels that are adjacent in an element; the element has several such groups, one after another.
  const group = channelsLast ? channels / images : 1;
  const size = group * places;
  const ordered =
    group === channels
      ? rows
      : reshape(
          concat(
            Array.from({ length: channels / group }, (_, i) =>
              reshape(slice(rows, i * size, size), [n, places, group]),
            ),
          ),
          [n, flatSize(space)],
        );
  if (!normalized || bounds === null || (bounds.low === 0 && bounds.high === 1)) return ordered;
  const span = bounds.high - bounds.low;
  // With equal bounds the image is constant and carries no information, so its scale does not matter.
  return mul(sub(ordered, bounds.low), span > 0 ? 1 / span : 1);
}

export const lanes = sym(SYMBOLS.num_envs);

/** i32 [n] to f32 [n, k]. */
const oneHot = (choice: Tensor, k: number): Tensor =>
  cast(equal(iota(k), reshape(choice, [choice.shape[0] as Dim, 1])), "f32");

/**
 * Observations [n, ...] as an agent's network input [n, width]: numbers flattened and normalised if the agent keeps
 * statistics of them, images scaled if the agent normalises them, choices one-hot.
 */
export const networkInput = (
  agent: Pick<AgentStructure, "hyperparameters" | "normalization">,
  space: Space,
  obs: Tensor,
): Tensor => encoded(agent, space, agent.normalization ? normalized(agent.normalization, space, obs) : obs);

function encoded(agent: Pick<AgentStructure, "hyperparameters">, space: Space, obs: Tensor): Tensor {
  const n = obs.shape[0] as Dim;
  switch (space.kind) {
    case "Box":
      return isImage(space)
        ? imageInput(space, obs, agent.hyperparameters.normalize_images !== false)
        : reshape(obs, [n, flatSize(space)]);
    case "MultiBinary":
      return reshape(obs, [n, flatSize(space)]);
    case "Discrete":
      return oneHot(cast(sub(obs, space.start), "i32"), space.n);
    case "MultiDiscrete":
      return concat(space.nvec.map((k, i) => oneHot(cast(column(obs, i), "i32"), k)));
    case "Tuple":
    case "Dict":
    case "Agents":
      return concat(
        space.parts.map(({ space: part, start, size }) => {
          const numbers = slice(obs, start, size);
          return encoded(agent, part, reshape(numbers, [n, ...part.shape]));
        }),
      );
  }
}

/** Random numbers for a vector step of all lanes. */
export const stepDraws = (env: CompiledEnvironment, step: Tensor): StepDraws => ({
  step: uniforms("dynamics", step, lanes, env.stepDraws),
  reset: uniforms("reset", step, lanes, env.resetDraws),
});

/**
 * Buffers of the cells that keep single episodes: a row of lanes for each window of a turn, and a spare row for lanes
 * whose episode goes on. `steps`, i32: vector steps of the turn at the end of the last episode that ended in the window,
 * or 0. `window`, `windows`: vector steps of a window, and the number of windows.
 */
export const EPISODES = {
  steps: "episode.steps",
  returns: "episode.returns",
  window: "episode.window",
  windows: "episode.windows",
} as const;

/** Keeps the episodes that ended in a step. */
function keepEpisodes(step: Tensor, returns: Tensor, done: Tensor): void {
  const cells = sym(SYMBOLS.episode_cells);
  const spare = state(EPISODES.windows, [], { dtype: "i32" }).read();
  const window = cast(floor(div(cast(step, "f32"), state(EPISODES.window).read())), "i32");
  const row = select(done, window, spare);
  const index = add(mul(row, dimValue(lanes, "i32")), iota(lanes));
  state(EPISODES.steps, [cells], { dtype: "i32" }).writeRows(index, select(done, add(step, 1), 0));
  state(EPISODES.returns, [cells]).writeRows(index, returns);
}

/** Episode returns: the running return of each lane, and the sum and number of finished episodes. */
export function episodeStatistics() {
  const running = state(RUNNING, [lanes]);
  const total = state("episode.total");
  const finished = state("episode.finished");
  return {
    /**
     * Adds one step's rewards, summed over agents; `done` is bool [num_envs].
     * @param kept Number of the vector step, if single episodes are kept.
     */
    add(reward: Tensor, done: Tensor, kept?: Tensor): void {
      const returns = add(running.read(), reward.rank === 1 ? reward : sum(reward));
      const ended = cast(done, "f32");
      total.write(add(total.read(), sumAll(mul(returns, ended))));
      finished.write(add(finished.read(), sumAll(ended)));
      if (kept) keepEpisodes(kept, returns, done);
      running.write(select(done, 0, returns));
    },
    reset(): void {
      running.write(mul(running.read(), 0));
      total.write(constant(0));
      finished.write(constant(0));
    },
  };
}

/** Starts new episodes in every lane. */
export function resetLanes(env: CompiledEnvironment): void {
  const draws = uniforms("reset", constant(-1, "i32"), lanes, env.resetDraws);
  const { carry } = vectorReset(env, draws, lanes);
  carryState(env, lanes).write(carry);
  episodeStatistics().reset();
}
