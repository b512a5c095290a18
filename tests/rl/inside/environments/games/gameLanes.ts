/** Steps the lanes of a compiled game from given states, with given random numbers. */
import { stepDrawBuffer } from "../../../../../src/rl/environments/compiled/hostPrograms.ts";
import {
  BUFFERS,
  type CompiledEnvironment,
  drawBuffer,
  prepareProgram,
  resetProgram,
  stepProgram,
  variableBuffer,
  variableShape,
} from "../../../../../src/rl/environments.ts";

type Rows = readonly (readonly number[])[];

/** Numbers of each lane in a buffer. */
function rowsOf(values: ArrayLike<number>, lanes: number): number[][] {
  const all = Array.from(values);
  const width = all.length / lanes;
  return Array.from({ length: lanes }, (_, lane) => all.slice(lane * width, (lane + 1) * width));
}

export interface GameLanes {
  /** First states. @param draws `resetDraws` numbers for each lane. */
  readonly reset: (draws: Rows) => number[][];
  /** One move in every lane. @param draws `stepDraws` numbers for each lane. */
  readonly step: (
    states: Rows,
    actions: readonly number[],
    draws: Rows,
  ) => {
    readonly states: number[][];
    readonly observations: number[][];
    readonly masks: number[][];
    readonly rewards: number[];
    readonly ended: boolean[];
  };
  readonly release: () => void;
}

/** Lanes whose programs are compiled once. */
export function gameLanes(env: CompiledEnvironment, lanes: number): GameLanes {
  const reset = prepareProgram(resetProgram(env), { num_envs: lanes });
  const step = prepareProgram(stepProgram(env), { num_envs: lanes });
  const statesIn = (run: typeof reset): number[][] => {
    const variables = env.variables.map((name) => rowsOf(run.read(variableBuffer(name)), lanes));
    return Array.from({ length: lanes }, (_, lane) => variables.flatMap((rows) => rows[lane] as number[]));
  };
  const column = (rows: Rows, place: number): number[] => rows.map((row) => Math.fround(row[place] ?? 0));
  return {
    reset(draws) {
      for (let i = 0; i < env.resetDraws; i++) reset.write(drawBuffer(i), column(draws, i));
      reset.run();
      return statesIn(reset);
    },
    step(states, actions, draws) {
      let at = 0;
      for (const name of env.variables) {
        const from = at;
        at += variableShape(env, name).reduce((a, b) => a * b, 1);
        step.write(
          variableBuffer(name),
          states.flatMap((state) => state.slice(from, at)),
        );
      }
      for (let i = 0; i < env.stepDraws; i++) step.write(stepDrawBuffer(i), column(draws, i));
      step.write(BUFFERS.action, actions);
      step.run();
      return {
        states: statesIn(step),
        observations: rowsOf(step.read(BUFFERS.obs), lanes),
        masks: rowsOf(step.read(BUFFERS.mask), lanes),
        rewards: Array.from(step.read(BUFFERS.reward)),
        ended: Array.from(step.read(BUFFERS.terminated), (value) => value !== 0),
      };
    },
    release() {
      reset.release();
      step.release();
    },
  };
}
