/** Steps an environment from given states with given random numbers. */

import { stepDrawBuffer } from "../../../../src/rl/environments/compiled/hostPrograms.ts";
import {
  BUFFERS,
  type CompiledEnvironment,
  drawBuffer,
  prepareProgram,
  resetProgram,
  stepProgram,
  variableBuffer,
} from "../../../../src/rl/environments.ts";

export interface LaneStep {
  /** The environment's variables in order. All must be scalars. */
  readonly state: readonly number[];
  /** Action of a discrete space, or the numbers of another one. */
  readonly action: number | readonly number[];
  readonly draws?: readonly number[];
}

export interface LaneResult {
  readonly state: readonly number[];
  readonly observation: readonly number[];
  readonly reward: number;
  readonly terminated: boolean;
}

/** Row `lane` of a buffer with one row per lane. */
function row(values: ArrayLike<number>, lane: number, lanes: number): number[] {
  const width = values.length / lanes;
  return Array.from({ length: width }, (_, i) => values[lane * width + i] as number);
}

/** Takes one step in each lane, all at once. */
export function stepLanes(env: CompiledEnvironment, lanes: readonly LaneStep[]): LaneResult[] {
  const run = prepareProgram(stepProgram(env), { num_envs: lanes.length });
  const column = (of: (lane: LaneStep) => number): number[] => lanes.map(of);
  for (const [i, name] of env.variables.entries())
    run.write(
      variableBuffer(name),
      column(({ state }) => state[i] as number),
    );
  for (let i = 0; i < env.stepDraws; i++)
    run.write(
      stepDrawBuffer(i),
      column(({ draws }) => draws?.[i] as number),
    );
  run.write(
    BUFFERS.action,
    lanes.flatMap(({ action }) => action),
  );
  run.run();
  const obs = run.read(BUFFERS.obs);
  const reward = run.read(BUFFERS.reward);
  const terminated = run.read(BUFFERS.terminated);
  const states = env.variables.map((name) => run.read(variableBuffer(name)));
  run.release();
  return lanes.map((_, lane) => ({
    state: states.map((values) => values[lane] as number),
    observation: row(obs, lane, lanes.length),
    reward: reward[lane] as number,
    terminated: terminated[lane] !== 0,
  }));
}

/** First states for the given random numbers, one list of draws per lane. */
export function resetLanes(
  env: CompiledEnvironment,
  draws: readonly (readonly number[])[],
): Pick<LaneResult, "state" | "observation">[] {
  const run = prepareProgram(resetProgram(env), { num_envs: draws.length });
  for (let i = 0; i < env.resetDraws; i++)
    run.write(
      drawBuffer(i),
      draws.map((lane) => lane[i] as number),
    );
  run.run();
  const obs = run.read(BUFFERS.obs);
  const states = env.variables.map((name) => run.read(variableBuffer(name)));
  run.release();
  return draws.map((_, lane) => ({
    state: states.flatMap((values) => row(values, lane, draws.length)),
    observation: row(obs, lane, draws.length),
  }));
}
