/** Environment lanes inside programs: observations as networks take them, and returns of finished episodes. */
import { randomUniform } from "../../kernels/functions/random.ts";
import type { Dim, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
  column,
  concat,
  constant,
  equal,
  iota,
  mul,
  reshape,
  select,
  state,
  sub,
  sumAll,
  sym,
} from "../../kernels/index.ts";
import type { CompiledEnvironment } from "../environments/compiledEnvironment.ts";
import { carryState, vectorReset } from "../environments/vectorStep.ts";
import { flatSize, type Space } from "../spaces/index.ts";
import { randomKey, SYMBOLS } from "./inputs.ts";

export const lanes = sym(SYMBOLS.num_envs);

/** i32 [n] to f32 [n, k]. */
const oneHot = (choice: Tensor, k: number): Tensor =>
  cast(equal(iota(k), reshape(choice, [choice.shape[0] as Dim, 1])), "f32");

/** Observations [n, ...] as network input [n, width]: numbers flattened, choices one-hot. */
export function networkInput(space: Space, obs: Tensor): Tensor {
  const n = obs.shape[0] as Dim;
  switch (space.kind) {
    case "Box":
    case "MultiBinary":
      return reshape(obs, [n, flatSize(space)]);
    case "Discrete":
      return oneHot(cast(sub(obs, space.start), "i32"), space.n);
    case "MultiDiscrete":
      return concat(space.nvec.map((k, i) => oneHot(cast(column(obs, i), "i32"), k)));
  }
}

/** Uniform vectors for `count` draws of every lane, at a step. */
export function resetDraws(
  env: CompiledEnvironment,
  step: Tensor,
  streams: readonly ["reset", "resetMore"] | readonly ["evaluate", "evaluateMore"] = ["reset", "resetMore"],
): Tensor[] {
  if (env.resetDraws > 8)
    throw new RangeError(`${env.id}: a reset may use up to 8 draws, found ${env.resetDraws}`);
  const first = randomUniform(randomKey(streams[0], step), lanes);
  const more = env.resetDraws > 4 ? randomUniform(randomKey(streams[1], step), lanes) : [];
  return [...first, ...more].slice(0, env.resetDraws);
}

/** Returns of episodes: of each lane's running one, and sum and number of the finished ones. */
export function episodeStatistics() {
  const running = state("episode.running", [lanes]);
  const total = state("episode.total");
  const finished = state("episode.finished");
  return {
    /** Adds one step's rewards; `done` is bool [num_envs]. */
    add(reward: Tensor, done: Tensor): void {
      const returns = add(running.read(), reward);
      const ended = cast(done, "f32");
      total.write(add(total.read(), sumAll(mul(returns, ended))));
      finished.write(add(finished.read(), sumAll(ended)));
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
  const { carry } = vectorReset(env, resetDraws(env, constant(-1, "i32")));
  carryState(env, lanes).write(carry);
  episodeStatistics().reset();
}
