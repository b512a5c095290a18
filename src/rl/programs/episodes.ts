/** Greedy actions, and the first episode of every lane in a compiled environment. */
import {
  add,
  cast,
  constant,
  type Dim,
  lessEqual,
  mul,
  or,
  reshape,
  scan,
  sub,
  sumAll,
  type Tensor,
  zeros,
} from "../../kernels/index.ts";
import { appliedAction } from "../contract/choices.ts";
import type { Draws } from "../contract/definition.ts";
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
import type { CompiledEnvironment, EnvState } from "../environments/definition/compiledEnvironment.ts";
import type { AgentSpaces } from "../spaces.ts";
import { networkInput } from "./lanes.ts";
import type { AgentStructure } from "./learning.ts";
import { emptyMemory, encodeStep, type Memory } from "./memory.ts";

/** The input that a policy acts on. */
interface Situation {
  readonly obs: Tensor;
  readonly memory?: Memory;
  /** Legal actions, as `mask` of `Exploration`. */
  readonly mask?: Tensor | undefined;
  /** Draws of an evolution strategy that samples actions (default: it acts greedily). */
  readonly draws?: Draws | undefined;
}

/** The greedy action, in the form that the environment takes, and the recurrent state after it. */
export function greedyAction(
  algorithm: Algorithm,
  networks: Networks,
  { obs, memory = {}, mask, draws }: Situation,
  spaces: AgentSpaces,
): { readonly action: Tensor; readonly memory: Memory } {
  if (algorithm.kind === "off_policy") {
    const best = algorithm.greedy(networks, obs, mask, spaces);
    const action = appliedAction(algorithm, networks, best, spaces.action_space);
    return { action, memory };
  }
  const { latents, after } = encodeStep(algorithm, networks, obs, spaces, memory);
  const action =
    algorithm.kind === "evolution"
      ? algorithm.greedy(networks, latents, spaces, mask, draws)
      : algorithm.greedy(networks, latents, spaces, mask);
  return { action, memory: after() };
}

/** Shape of a value of n lanes with one number per agent: [n] for a single agent, else [n, agents]. */
const eachAgent = ({ observation_space }: AgentSpaces, n: Dim): Dim[] =>
  observation_space.kind === "Agents" ? [n, observation_space.ids.length] : [n];

/** Values that are gathered while episodes run. */
export interface Gathering {
  readonly start: readonly Tensor[];
  /** @param alive 1 for lanes whose episode runs, [n]. */
  readonly next: (values: readonly Tensor[], obs: Tensor, alive: Tensor) => readonly Tensor[];
}

interface EpisodesOptions {
  /** The networks that act. */
  readonly networks: Networks;
  /** Number of lanes. */
  readonly n: Dim;
  /** Most steps of an episode, i32 scalar. */
  readonly limit: Tensor;
  /** Uniform numbers from which the lanes start. */
  readonly resetDraws: readonly Tensor[];
  /** Uniform numbers of the dynamics in step t, i32 scalar. */
  readonly stepDraws: (t: Tensor) => readonly Tensor[];
  /** Uniform numbers from which actions are sampled in step t (default: actions are greedy). */
  readonly actionDraws?: (t: Tensor) => Draws;
  /** Chooses actions, i32 [n], instead of the agent's policy (default: the policy does). */
  readonly choose?: ((state: EnvState) => Tensor) | undefined;
  /** What to gather, by the observations that the episodes start with, [n, ...] (default: nothing). */
  readonly gathering?: (first: Tensor) => Gathering | undefined;
}

/** What the lanes' first episodes came to. */
interface FirstEpisodes {
  /** [n]; [n, agents] for several agents. */
  readonly returns: Tensor;
  /** Environment steps, [n]. */
  readonly lengths: Tensor;
  readonly gathered: readonly Tensor[];
  /** States after the last step of every lane. */
  readonly last: EnvState;
}

/** Runs the first episode of every lane, greedily, until all have ended or reached the limit. */
export function firstEpisodes(
  structure: AgentStructure,
  env: CompiledEnvironment,
  options: EpisodesOptions,
): FirstEpisodes {
  const { algorithm } = structure;
  const { networks, n, limit, resetDraws, stepDraws } = options;
  const start = vectorReset(env, resetDraws, n);
  const nothing = emptyMemory(networks, n);
  const remembered = Object.keys(nothing);
  const size = carrySize(env);
  const gathering = options.gathering?.(start.obs);
  const initial = [
    ...flattenCarry(env, start.carry),
    ...Object.values(nothing),
    ...(gathering?.start ?? []),
    zeros([n]),
    zeros(eachAgent(env, n)),
    add(zeros([n]), 1),
  ];
  const { carry } = scan({ count: limit, carry: initial }, (values, _x, t) => {
    const [lengths, returns, alive] = values.slice(-3) as [Tensor, Tensor, Tensor];
    const before = unflattenCarry(env, values.slice(0, size));
    const memory = Object.fromEntries(remembered.map((name, i) => [name, values[size + i] as Tensor]));
    const seen = observed(env, before);
    const obs = networkInput(structure, env.observation_space, seen);
    const { action, memory: next } = options.choose
      ? { action: options.choose(before.state), memory }
      : greedyAction(
          algorithm,
          networks,
          { obs, memory, mask: env.actionMask?.(before.state), draws: options.actionDraws?.(t) },
          env,
        );
    const draws = stepDraws(t);
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
    const gathered = values.slice(size + remembered.length, -3);
    return {
      carry: [
        ...flattenCarry(env, { state: kept, elapsed, ...(gone && { left: gone }) }),
        ...remembered.map((name) => next[name] as Tensor),
        ...(gathering?.next(gathered, seen, alive) ?? []),
        add(lengths, alive),
        add(returns, mul(reward.rank === 1 ? alive : reshape(alive, [n, 1]), reward)),
        still,
      ],
      until: lessEqual(sumAll(still), 0),
    };
  });
  return {
    lengths: carry.at(-3) as Tensor,
    returns: carry.at(-2) as Tensor,
    gathered: carry.slice(size + remembered.length, -3),
    last: unflattenCarry(env, carry.slice(0, size)).state,
  };
}
