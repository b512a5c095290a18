/** Programs through which the host resets and steps compiled environments. */
import type { Program, Tensor } from "../../../kernels/index.ts";
import { state, sym, trace } from "../../../kernels/index.ts";
import { elementSize } from "../../spaces/index.ts";
import { type CompiledEnvironment, type EnvState, variableShape } from "../definition/compiledEnvironment.ts";
import { carryState, vectorStep } from "./vectorStep.ts";

/** Names of the programs' buffers; state variables are `env.<variable>`. */
export const BUFFERS = {
  action: "action",
  obs: "obs",
  next_obs: "next_obs",
  reward: "reward",
  terminated: "terminated",
  truncated: "truncated",
  elapsed: "env.elapsed",
  left: "env.left",
} as const;

export const variableBuffer = (name: string): string => `env.${name}`;
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

/** Traces a program once per environment, so that all its instances share the compiled code. */
function perEnvironment(build: (env: CompiledEnvironment) => Program): (env: CompiledEnvironment) => Program {
  const known = new WeakMap<CompiledEnvironment, Program>();
  return (env) => {
    const program = known.get(env) ?? build(env);
    known.set(env, program);
    return program;
  };
}

/** Reset draws -> state, obs. */
export const resetProgram = perEnvironment((env) =>
  trace(`${env.id}.reset`, () => {
    const values = env.reset(resetDraws(env), lanes);
    writeState(env, values);
    write(BUFFERS.obs, env.observe(values));
  }),
);

/** state, action, step draws -> state, obs, reward, terminated; without time limit or reset. */
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
    write(BUFFERS.reward, next.reward);
    write(BUFFERS.terminated, next.terminated);
  }),
);

/** carry, action, all draws -> carry, obs, next_obs, reward, terminated, truncated. */
export const vectorProgram = perEnvironment((env) =>
  trace(`${env.id}.vector_step`, () => {
    const carry = carryState(env, lanes);
    const draws = { step: stepDraws(env), reset: resetDraws(env) };
    const next = vectorStep(env, carry.read(), readAction(env), draws);
    carry.write(next.carry);
    write(BUFFERS.obs, next.obs);
    write(BUFFERS.next_obs, next.next_obs);
    write(BUFFERS.reward, next.reward);
    write(BUFFERS.terminated, next.terminated);
    write(BUFFERS.truncated, next.truncated);
  }),
);
