/** Plays whole episodes of particle worlds with scripted policies. */
import { Random } from "../../src/evolution/random.ts";
import {
  BUFFERS,
  type CompiledEnvironment,
  drawBuffer,
  prepareProgram,
  resetProgram,
  stepProgram,
  variableBuffer,
} from "../../src/rl/environments.ts";
import { elementSize } from "../../src/rl/spaces.ts";

/** Maps a state row to all agents' actions. */
export type Policy = (row: ArrayLike<number>, random: Random) => readonly number[];

export interface Episode {
  /** Return of each agent. */
  readonly returns: readonly number[];
  /** The final state row. */
  readonly last: readonly number[];
}

const row = (values: ArrayLike<number>, lane: number, lanes: number): number[] => {
  const width = values.length / lanes;
  return Array.from({ length: width }, (_, i) => values[lane * width + i] as number);
};

/** Plays `count` whole episodes in parallel. The same seed gives the same episodes. */
export function playEpisodes(
  env: CompiledEnvironment,
  count: number,
  seed: number,
  policy: Policy,
): Episode[] {
  const random = new Random({ seed, stream: `play ${env.id}` });
  const reset = prepareProgram(resetProgram(env), { num_envs: count });
  const step = prepareProgram(stepProgram(env), { num_envs: count });
  for (let i = 0; i < env.resetDraws; i++)
    reset.write(
      drawBuffer(i),
      Array.from({ length: count }, () => Math.fround(random.integer(2 ** 24) / 2 ** 24)),
    );
  reset.run();
  const names = env.variables.map(variableBuffer);
  for (const name of names) step.write(name, reset.read(name));
  const lanes = Array.from({ length: count }, (_, lane) => lane);
  const rows = (): number[][] => {
    const variables = names.map((name) => step.read(name));
    return lanes.map((lane) => variables.flatMap((values) => row(values, lane, count)));
  };
  const returns = lanes.map((): number[] => []);
  for (let t = 0; t < env.max_episode_steps; t++) {
    step.write(
      BUFFERS.action,
      rows().flatMap((state) => policy(state, random)),
    );
    step.run();
    const reward = step.read(BUFFERS.reward);
    for (const lane of lanes)
      returns[lane] = row(reward, lane, count).map((r, i) => r + (returns[lane]?.[i] ?? 0));
  }
  const last = rows();
  reset.release();
  step.release();
  return lanes.map((lane) => ({ returns: returns[lane] as number[], last: last[lane] as number[] }));
}

/** Random actions of all agents. */
export const randomPolicy = (env: CompiledEnvironment): Policy => {
  const { action_space } = env;
  return (_row, random) => {
    const action = action_space.sample(random);
    if (typeof action === "number" || action.length !== elementSize(action_space))
      throw new TypeError(`${env.id}: found an action of ${action_space.kind}`);
    return Array.from(action);
  };
};

export interface Estimate {
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
}

export function estimate(values: readonly number[]): Estimate {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
  return { mean, error: Math.sqrt(variance / values.length) };
}
