/** Runs an environment's vector step program on a device, with given random numbers. */
import { Random } from "../../../../src/evolution/random.ts";
import type { Arena, Device, Program } from "../../../../src/kernels/index.ts";
import { stepDrawBuffer, vectorProgram } from "../../../../src/rl/environments/compiled/hostPrograms.ts";
import {
  BUFFERS,
  type CompiledEnvironment,
  drawBuffer,
  resetProgram,
  variableBuffer,
} from "../../../../src/rl/environments.ts";

/** Outputs of all lanes at one step, and their states after it. */
export type Seen = Readonly<Record<string, readonly number[]>>;

const OUTPUTS = [BUFFERS.obs, BUFFERS.next_obs, BUFFERS.reward, BUFFERS.terminated, BUFFERS.truncated];

/** What a run of an environment executes. */
export const vectorPrograms = (env: CompiledEnvironment): Program[] => [
  resetProgram(env),
  vectorProgram(env),
];

/** A reset and `steps` random steps of `lanes` lanes. A seed gives the same numbers on every device. */
export async function vectorRun(
  device: Device,
  env: CompiledEnvironment,
  { lanes, steps, seed }: { readonly lanes: number; readonly steps: number; readonly seed: number },
): Promise<Seen[]> {
  const random = new Random({ seed, stream: "vectorRun" });
  const states = env.variables.map(variableBuffer);
  const bind = async (program: Program) => {
    const arena = device.arena(program.states.values(), { num_envs: lanes });
    return { arena, bound: (await device.compile(program)).bind(arena) };
  };
  const draw = (arena: Arena, count: number, nameOf: (index: number) => string): void => {
    for (let i = 0; i < count; i++)
      arena.write(
        nameOf(i),
        Float32Array.from({ length: lanes }, () => random.integer(2 ** 24) / 2 ** 24),
      );
  };
  const flags: readonly string[] = [BUFFERS.terminated, BUFFERS.truncated];
  const read = async (arena: Arena, names: readonly string[]): Promise<Seen> => {
    const entries: [string, readonly number[]][] = [];
    for (const name of names) {
      const values = Array.from(await arena.read(name));
      entries.push([name, flags.includes(name) ? values.map((x) => (x === 0 ? 0 : 1)) : values]);
    }
    return Object.fromEntries(entries);
  };

  const reset = await bind(resetProgram(env));
  draw(reset.arena, env.resetDraws, drawBuffer);
  await reset.bound.run();
  const start = await read(reset.arena, [...states, BUFFERS.obs]);

  const step = await bind(vectorProgram(env));
  for (const name of states) step.arena.write(name, start[name] as readonly number[]);
  step.arena.write(BUFFERS.elapsed, new Int32Array(lanes));
  const seen = [start];
  for (let t = 0; t < steps; t++) {
    draw(step.arena, env.resetDraws, drawBuffer);
    draw(step.arena, env.stepDraws, stepDrawBuffer);
    const actions = Array.from({ length: lanes }, () => env.action_space.sample(random)).flatMap((a) =>
      typeof a === "number" ? [a] : Array.from(a),
    );
    step.arena.write(BUFFERS.action, actions);
    await step.bound.run();
    seen.push(await read(step.arena, [...OUTPUTS, ...states]));
  }
  for (const { bound, arena } of [reset, step]) {
    bound.release();
    arena.release();
  }
  return seen;
}
