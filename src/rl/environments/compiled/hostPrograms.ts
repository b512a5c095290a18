/** Programs through which the host resets and steps compiled environments, and how they are run. */
import { sharedDevice } from "../../../kernels/devices.ts";
import type { Values } from "../../../kernels/functions.ts";
import { type Binding, type Program, state, sym, type Tensor, trace } from "../../../kernels/index.ts";
import { agentChoices, choicesOf, elementSize } from "../../spaces.ts";
import {
  type CompiledEnvironment,
  type EnvState,
  variableBuffer,
  variableShape,
} from "../definition/compiledEnvironment.ts";
import type { Info } from "../face/HostEnvironment.ts";
import { carryState, vectorStep } from "./vectorStep.ts";

/** A program bound to concrete sizes, with its own buffers. */
export interface RunnableProgram {
  /** Copies numbers into a state of the program.
   * @throws RangeError when the state does not exist or the numbers do not fit it. */
  write(name: string, values: ArrayLike<number>): void;
  /** Returns a copy of a state. Elements of a bool state are 0 or nonzero. */
  read(name: string): Values;
  run(): void;
  /** Releases the program's buffers. */
  release(): void;
}

/** Prepares a program to run with its dimension symbols bound. */
export type PrepareProgram = (program: Program, binding: Binding) => RunnableProgram;

/** Runs programs as WebAssembly in the calling thread.
 * @throws Error when WebAssembly SIMD is not available. */
export const prepareProgram: PrepareProgram = (program, binding) => {
  const device = sharedDevice();
  const arena = device.arena(program.states.values(), binding);
  const bound = device.compile(program).bind(arena);
  return {
    write: (name, values) => arena.write(name, values),
    read: (name) => arena.read(name),
    run: () => bound.run(),
    release: () => {
      bound.release();
      arena.release();
    },
  };
};

/** Names of the programs' buffers; state variables are `env.<variable>`. @internal */
export const BUFFERS = {
  action: "action",
  obs: "obs",
  next_obs: "next_obs",
  reward: "reward",
  terminated: "terminated",
  truncated: "truncated",
  elapsed: "env.elapsed",
  left: "env.left",
  mask: "mask",
  next_mask: "next_mask",
} as const;

/** Buffers of the lanes' random numbers, for resets (`drawBuffer`) and for steps (`stepDrawBuffer`). */
export const drawBuffer = (index: number): string => `draw.${index}`;
export const stepDrawBuffer = (index: number): string => `step_draw.${index}`;

const lanes = sym("num_envs");

const readDraws = (count: number, nameOf: (index: number) => string): Tensor[] =>
  Array.from({ length: count }, (_, i) => state(nameOf(i), [lanes]).read());
const resetDraws = (env: CompiledEnvironment) => readDraws(env.resetDraws, drawBuffer);
const stepDraws = (env: CompiledEnvironment) => readDraws(env.stepDraws, stepDrawBuffer);

function readAction(env: CompiledEnvironment): Tensor {
  const { action_space } = env;
  if (action_space.kind === "Discrete") return state(BUFFERS.action, [lanes], { dtype: "i32" }).read();
  const shape = [lanes, elementSize(action_space)];
  const areNumbers = action_space.kind === "Box" || action_space.kind === "Agents";
  return state(BUFFERS.action, shape, areNumbers ? {} : { dtype: "i32" }).read();
}

const write = (name: string, value: Tensor): void =>
  state(name, value.shape, { dtype: value.dtype }).write(value);

const writeState = (env: CompiledEnvironment, values: EnvState): void => {
  for (const name of env.variables) write(variableBuffer(name), values[name] as Tensor);
};

/** Infos of lanes, with `action_mask` if the environment has masks. @param read Reads the masks of all lanes. */
export function maskInfos(env: CompiledEnvironment, num_envs: number, read: () => Values): Info[] {
  const masks = env.actionMask ? Int8Array.from(read()) : null;
  const size = choicesOf(env.action_space);
  return Array.from({ length: num_envs }, (_, lane) => {
    if (!masks) return {};
    const all = masks.slice(lane * size, (lane + 1) * size);
    if (env.action_space.kind !== "Agents") return { action_mask: all };
    const shares = agentChoices(env.action_space);
    return Object.fromEntries(
      shares.map(({ id, start, size: own }) => [id, { action_mask: all.slice(start, start + own) }]),
    );
  });
}

/** Traces a program once per environment, so that all its instances share the compiled code. */
function perEnvironment(build: (env: CompiledEnvironment) => Program): (env: CompiledEnvironment) => Program {
  const known = new WeakMap<CompiledEnvironment, Program>();
  return (env) => {
    const program = known.get(env) ?? build(env);
    known.set(env, program);
    return program;
  };
}

const writeMask = (name: string, env: CompiledEnvironment, values: EnvState): void => {
  if (env.actionMask) write(name, env.actionMask(values));
};

/** Reset draws -> state, obs, mask. */
export const resetProgram = perEnvironment((env) =>
  trace(`${env.id}.reset`, () => {
    const values = env.reset(resetDraws(env), lanes);
    writeState(env, values);
    write(BUFFERS.obs, env.observe(values));
    writeMask(BUFFERS.mask, env, values);
  }),
);

/** state, action, step draws -> state, obs, mask, reward, terminated; without time limit or reset. */
export const stepProgram = perEnvironment((env) =>
  trace(`${env.id}.step`, () => {
    const before = Object.fromEntries(
      env.variables.map((name) => [
        name,
        state(variableBuffer(name), [lanes, ...variableShape(env, name)]).read(),
      ]),
    );
    const next = env.step(before, readAction(env), stepDraws(env));
    writeState(env, next.state);
    write(BUFFERS.obs, env.observe(next.state));
    writeMask(BUFFERS.mask, env, next.state);
    write(BUFFERS.reward, next.reward);
    write(BUFFERS.terminated, next.terminated);
  }),
);

/** carry, action, all draws -> carry, obs, next_obs, their masks, reward, terminated, truncated. */
export const vectorProgram = perEnvironment((env) =>
  trace(`${env.id}.vector_step`, () => {
    const carry = carryState(env, lanes);
    const draws = { step: stepDraws(env), reset: resetDraws(env) };
    const next = vectorStep(env, carry.read(), readAction(env), draws);
    carry.write(next.carry);
    write(BUFFERS.obs, next.obs);
    write(BUFFERS.next_obs, next.next_obs);
    writeMask(BUFFERS.mask, env, next.carry.state);
    writeMask(BUFFERS.next_mask, env, next.next_state);
    write(BUFFERS.reward, next.reward);
    write(BUFFERS.terminated, next.terminated);
    write(BUFFERS.truncated, next.truncated);
  }),
);
