/** Steps particle worlds from given state rows on a device. */

import { variableShape } from "../../../../src/agents/index.ts";
import type { Random } from "../../../../src/evolution/random.ts";
import type { Device } from "../../../../src/kernels/index.ts";
import {
  BUFFERS,
  type CompiledEnvironment,
  stepProgram,
  variableBuffer,
} from "../../../../src/rl/environments.ts";
import { elementSize } from "../../../../src/rl/spaces.ts";
import { type Published, rowOf } from "./publishedWorlds.ts";

export type Rows = readonly (readonly number[])[];

/** Outputs of all lanes after a step. */
export interface Seen {
  readonly rows: Rows;
  readonly observations: Rows;
  readonly rewards: Rows;
  readonly ended: boolean;
}

export interface Stepper {
  /** One step of every lane from its state. */
  readonly step: (rows: Rows, actions: Rows) => Promise<Seen>;
  readonly release: () => void;
}

const chunks = (values: ArrayLike<number>, lanes: number): Rows =>
  Array.from({ length: lanes }, (_, lane) =>
    Array.from(values).slice((lane * values.length) / lanes, ((lane + 1) * values.length) / lanes),
  );

export async function stepper(device: Device, env: CompiledEnvironment, lanes: number): Promise<Stepper> {
  const program = stepProgram(env);
  const arena = device.arena(program.states.values(), { num_envs: lanes });
  const bound = (await device.compile(program)).bind(arena);
  const sizes = env.variables.map((name) => variableShape(env, name).reduce((a, b) => a * b, 1));
  return {
    step: async (rows, actions) => {
      let start = 0;
      for (const [i, name] of env.variables.entries()) {
        const end = start + (sizes[i] as number);
        arena.write(
          variableBuffer(name),
          rows.flatMap((row) => row.slice(start, end)),
        );
        start = end;
      }
      arena.write(BUFFERS.action, actions.flat());
      await bound.run();
      const variables: Rows[] = [];
      for (const name of env.variables) variables.push(chunks(await arena.read(variableBuffer(name)), lanes));
      return {
        rows: rows.map((_, lane) => variables.flatMap((variable) => variable[lane] as readonly number[])),
        observations: chunks(await arena.read(BUFFERS.obs), lanes),
        rewards: chunks(await arena.read(BUFFERS.reward), lanes),
        ended: Array.from(await arena.read(BUFFERS.terminated)).some((flag) => flag !== 0),
      };
    },
    release: () => {
      bound.release();
      arena.release();
    },
  };
}

/** Uniform in [-range, range], rounded to f32. */
const within = (random: Random, range: number): number => Math.fround((2 * random.uniform() - 1) * range);

/**
 * A random state row: spread out beyond the border, crowded so that most bodies touch, or all in one place.
 * Speeds range from rest to above every top speed.
 */
export function randomRow(rules: Published, random: Random): number[] {
  const range = [1.6, 1, 0.3, 0.1, 0][random.integer(5)] as number;
  const [x, y] = [within(random, 1), within(random, 1)];
  const point = (): [number, number] => [
    Math.fround(x + within(random, range)),
    Math.fround(y + within(random, range)),
  ];
  const speed = [0, 0.5, 3][random.integer(3)] as number;
  return rowOf({
    agents: rules.words.map((words, i) => ({
      place: point(),
      velocity: rules.fixed?.includes(i) ? [0, 0] : [within(random, speed), within(random, speed)],
      said: Array.from({ length: words }, () => within(random, 1)),
    })),
    landmarks: Array.from({ length: rules.landmarks }, point),
    goals: Array.from({ length: rules.goals ?? 0 }, () => random.integer(rules.landmarks)),
  });
}

/** A random action of the space, as plain numbers. */
export function randomAction({ action_space }: CompiledEnvironment, random: Random): number[] {
  const action = action_space.sample(random);
  const numbers = typeof action === "number" ? [action] : Array.from(action);
  if (numbers.length !== elementSize(action_space)) throw new RangeError("found another number of numbers");
  return numbers;
}
