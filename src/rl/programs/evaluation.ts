/** Greedy evaluation in a compiled environment, and a recorded episode for the eye. */
import type { Program, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
  constant,
  equal,
  lessEqual,
  mul,
  or,
  scan,
  select,
  state,
  sub,
  sumAll,
  trace,
  zeros,
} from "../../kernels/index.ts";
import type { Algorithm } from "../contract/algorithm.ts";
import { appliedAction } from "../contract/choices.ts";
import { counter, uniforms } from "../contract/inputs.ts";
import type { Networks } from "../contract/networks.ts";
import {
  chooseLanes,
  flattenCarry,
  unflattenCarry,
  vectorReset,
} from "../environments/compiled/vectorStep.ts";
import { type CompiledEnvironment, variableShape } from "../environments/definition/compiledEnvironment.ts";
import type { Space } from "../spaces/index.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { emptyMemory, encodeStep, lanesMemory, type Memory, mapMemory } from "./memory.ts";

/** What a policy acts on. */
interface Situation {
  readonly obs: Tensor;
  readonly memory?: Memory;
  /** As in Exploration. */
  readonly mask?: Tensor | undefined;
}

/** The best action by the policy's own lights, as the environment takes it, and the memory after it. */
export function greedyAction(
  algorithm: Algorithm,
  networks: Networks,
  { obs, memory = {}, mask }: Situation,
  space: Space,
): { readonly action: Tensor; readonly memory: Memory } {
  if (algorithm.kind === "off_policy") {
    const action = appliedAction(algorithm, networks, algorithm.greedy(networks, obs, mask), space);
    return { action, memory };
  }
  const { latents, after } = encodeStep(algorithm, networks, obs, memory);
  return { action: algorithm.greedy(networks, latents, space, mask), memory: after() };
}

/** Networks that greedy acting needs. */
const actors = ({ policy }: Algorithm) => [policy];

/** Returns of the first episode of every lane in `evaluate.returns`, cut after `evaluate.steps`. */
export function evaluateProgram(structure: AgentStructure, env: CompiledEnvironment): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.evaluate`, () => {
    const networks = readNetworks(structure, actors(algorithm));
    const draws = uniforms("evaluate", constant(0, "i32"), lanes, env.resetDraws);
    const start = vectorReset(env, draws, lanes);
    const limit = state("evaluate.steps", [], { dtype: "i32" }).read();
    const nothing = emptyMemory(networks, lanes);
    const remembered = Object.keys(nothing);
    const size = env.variables.length + 1;
    const initial = [
      ...flattenCarry(env, start.carry),
      ...Object.values(nothing),
      zeros([lanes]),
      add(zeros([lanes]), 1),
    ];
    const { carry } = scan({ count: limit, carry: initial }, (values, _x, t) => {
      const [returns, alive] = values.slice(-2) as [Tensor, Tensor];
      const before = unflattenCarry(env, values.slice(0, size));
      const memory = Object.fromEntries(remembered.map((name, i) => [name, values[size + i] as Tensor]));
      const obs = networkInput(structure, env.observation_space, env.observe(before.state));
      const { action, memory: next } = greedyAction(algorithm, networks, { obs, memory }, env.action_space);
      const {
        state: after,
        reward,
        terminated,
      } = env.step(before.state, action, uniforms("dynamics", t, lanes, env.stepDraws));
      const elapsed = add(before.elapsed, 1);
      const ended = or(terminated, lessEqual(constant(env.max_episode_steps, "i32"), elapsed));
      const still = mul(alive, sub(1, cast(ended, "f32")));
      // Lanes that have ended stand still, so that they cannot run off to infinity.
      const running = lessEqual(constant(0.5), alive);
      const kept = Object.fromEntries(
        env.variables.map((name) => [
          name,
          chooseLanes(running, after[name] as Tensor, before.state[name] as Tensor),
        ]),
      );
      return {
        carry: [
          ...flattenCarry(env, { state: kept, elapsed }),
          ...remembered.map((name) => next[name] as Tensor),
          add(returns, mul(alive, reward)),
          still,
        ],
        until: lessEqual(sumAll(still), 0),
      };
    });
    state("evaluate.returns", [lanes]).write(carry.at(-2) as Tensor);
  });
}

/** One greedy step of every lane, for recording: writes states, action, reward and whether it ended. */
export function recordProgram(structure: AgentStructure, env: CompiledEnvironment): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.record`, () => {
    const networks = readNetworks(structure, actors(algorithm));
    const variables = env.variables.map((name) => state(`env.${name}`, [lanes, ...variableShape(env, name)]));
    const steps = counter("vector_step");
    const before = Object.fromEntries(
      env.variables.map((name, i) => [name, (variables[i] as (typeof variables)[number]).read()]),
    );
    const obs = networkInput(structure, env.observation_space, env.observe(before));
    const kept = lanesMemory(networks);
    // The first step is that of a new episode.
    const memory = mapMemory(kept.read(), (values) => select(equal(steps.read(), 0), 0, values));
    const { action, memory: next } = greedyAction(algorithm, networks, { obs, memory }, env.action_space);
    kept.write(next);
    const {
      state: after,
      reward,
      terminated,
    } = env.step(before, action, uniforms("dynamics", steps.read(), lanes, env.stepDraws));
    const applied = action.dtype === "f32" ? action : cast(action, "f32");
    state("record.action", applied.shape).write(applied);
    state("record.reward", [lanes]).write(reward);
    state("record.ended", [lanes]).write(cast(terminated, "f32"));
    steps.write(add(steps.read(), 1));
    variables.forEach((v, i) => v.write(after[env.variables[i] as string] as Tensor));
  });
}
