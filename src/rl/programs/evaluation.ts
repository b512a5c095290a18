/**
 * Greedy evaluation in a compiled environment, and greedy actions for observations that the host supplies, with the
 * layer outputs of the networks that choose them.
 */
import {
  add,
  cast,
  constant,
  type Dim,
  lessEqual,
  mul,
  or,
  type Program,
  reshape,
  scan,
  state,
  sub,
  sumAll,
  type Tensor,
  trace,
  zeros,
} from "../../kernels/index.ts";
import { appliedAction, legalActions } from "../contract/choices.ts";
import { uniforms } from "../contract/inputs.ts";
import type { Networks } from "../contract/network.ts";
import type { Algorithm } from "../contract/onPolicy.ts";
import {
  carrySize,
  chooseLanes,
  dynamicsStep,
  flattenCarry,
  observed,
  unflattenCarry,
  vectorReset,
} from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../spaces.ts";
import { lanes, networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { emptyMemory, encodeStep, lanesMemory, type Memory } from "./memory.ts";

/** The input that a policy acts on. */
interface Situation {
  readonly obs: Tensor;
  readonly memory?: Memory;
  /** Legal actions, as `mask` of `Exploration`. */
  readonly mask?: Tensor | undefined;
}

/** The greedy action, in the form that the environment takes, and the recurrent state after it. */
export function greedyAction(
  algorithm: Algorithm,
  networks: Networks,
  { obs, memory = {}, mask }: Situation,
  spaces: AgentSpaces,
): { readonly action: Tensor; readonly memory: Memory } {
  if (algorithm.kind === "off_policy") {
    const best = algorithm.greedy(networks, obs, mask, spaces);
    const action = appliedAction(algorithm, networks, best, spaces.action_space);
    return { action, memory };
  }
  const { latents, after } = encodeStep(algorithm, networks, obs, spaces, memory);
  return { action: algorithm.greedy(networks, latents, spaces, mask), memory: after() };
}

/** Networks needed to act greedily. */
const actors = ({ policies }: Algorithm) => policies;

/** Shape of a value with one number per agent: [lanes] for a single agent, else [lanes, agents]. */
const eachAgent = ({ observation_space }: AgentSpaces): Dim[] =>
  observation_space.kind === "Agents" ? [lanes, observation_space.ids.length] : [lanes];

/**
 * Runs the first episode of every lane, cut after `evaluate.steps`. Writes the returns to `evaluate.returns`
 * ([lanes, agents] for several agents) and the environment steps to `evaluate.lengths`.
 */
export function evaluateProgram(structure: AgentStructure, env: CompiledEnvironment): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.evaluate`, () => {
    const networks = readNetworks(structure, actors(algorithm));
    const draws = uniforms("evaluate", constant(0, "i32"), lanes, env.resetDraws);
    const start = vectorReset(env, draws, lanes);
    const limit = state("evaluate.steps", [], { dtype: "i32" }).read();
    const nothing = emptyMemory(networks, lanes);
    const remembered = Object.keys(nothing);
    const size = carrySize(env);
    const initial = [
      ...flattenCarry(env, start.carry),
      ...Object.values(nothing),
      zeros([lanes]),
      zeros(eachAgent(env)),
      add(zeros([lanes]), 1),
    ];
    const { carry } = scan({ count: limit, carry: initial }, (values, _x, t) => {
      const [lengths, returns, alive] = values.slice(-3) as [Tensor, Tensor, Tensor];
      const before = unflattenCarry(env, values.slice(0, size));
      const memory = Object.fromEntries(remembered.map((name, i) => [name, values[size + i] as Tensor]));
      const obs = networkInput(structure, env.observation_space, observed(env, before));
      const { action, memory: next } = greedyAction(
        algorithm,
        networks,
        { obs, memory, mask: env.actionMask?.(before.state) },
        env,
      );
      const draws = uniforms("dynamics", t, lanes, env.stepDraws);
      const { state: after, reward, ended: taskEnded, gone } = dynamicsStep(env, before, action, draws);
      const elapsed = add(before.elapsed, 1);
      const ended = or(taskEnded, lessEqual(constant(env.max_episode_steps, "i32"), elapsed));
      const still = mul(alive, sub(1, cast(ended, "f32")));
      // Lanes that have ended keep their state, so that it cannot grow to infinity.
      const running = lessEqual(constant(0.5), alive);
      const kept = Object.fromEntries(
        env.variables.map((name) => [
          name,
          chooseLanes(running, after[name] as Tensor, before.state[name] as Tensor),
        ]),
      );
      return {
        carry: [
          ...flattenCarry(env, { state: kept, elapsed, ...(gone && { left: gone }) }),
          ...remembered.map((name) => next[name] as Tensor),
          add(lengths, alive),
          add(returns, mul(reward.rank === 1 ? alive : reshape(alive, [lanes, 1]), reward)),
          still,
        ],
        until: lessEqual(sumAll(still), 0),
      };
    });
    state("evaluate.lengths", [lanes]).write(carry.at(-3) as Tensor);
    state("evaluate.returns", eachAgent(env)).write(carry.at(-2) as Tensor);
  });
}

const LAYER = "layer.";

/** Separates a layer's name from its call number in buffer names: a network may serve several agents. */
const CALL = "#";

/** "<network>.<layer>" of a buffer that holds a layer's output; null for other buffers. */
export const watchedLayer = (buffer: string): string | null =>
  buffer.startsWith(LAYER) ? buffer.slice(LAYER.length, buffer.lastIndexOf(CALL)) : null;

/** Writes the output of each layer to a buffer that {@link watchedLayer} recognises. */
const watchedNetworks = (networks: Networks): Networks =>
  Object.fromEntries(
    Object.entries(networks).map(([name, network]) => {
      const calls = new Map<string, number>();
      const watched = network.watching((layer, output) => {
        const call = calls.get(layer) ?? 0;
        calls.set(layer, call + 1);
        state(`${LAYER}${name}.${layer}${CALL}${call}`, output.shape).write(output);
      });
      return [name, watched];
    }),
  );

/** Like {@link greedyProgram}, and also writes the output of each layer to a buffer of its own. */
export const watchedProgram = (structure: AgentStructure, layout: AgentSpaces): Program =>
  greedyProgram(structure, layout, watchedNetworks);

/**
 * Writes greedy actions for `act.obs` to `act.greedy`, among those that `act.mask` allows. Recurrent state is
 * kept in `memory.*`.
 */
export function greedyProgram(
  structure: AgentStructure,
  layout: AgentSpaces,
  prepared: (networks: Networks) => Networks = (networks) => networks,
): Program {
  const { algorithm } = structure;
  return trace(`${algorithm.name}.greedy`, () => {
    const obs = state("act.obs", [lanes, ...layout.observation_space.shape]).read();
    const networks = prepared(readNetworks(structure, algorithm.policies));
    const kept = lanesMemory(networks);
    const { action, memory } = greedyAction(
      algorithm,
      networks,
      {
        obs: networkInput(structure, layout.observation_space, obs),
        memory: kept.read(),
        mask: legalActions(layout, lanes),
      },
      layout,
    );
    kept.write(memory);
    state("act.greedy", action.shape, { dtype: action.dtype }).write(action);
  });
}
