/** How opponents choose their moves in games of two players. */
import {
  add,
  broadcastTo,
  cast,
  type Dim,
  equal,
  greater,
  iota,
  less,
  max,
  mul,
  mulDims,
  reshape,
  select,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import { randomChoice } from "../contract/choices.ts";
import type { CompiledEnvironment, EnvState } from "../environments/definition/compiledEnvironment.ts";
import { choicesOf } from "../spaces.ts";
import { greedyAction } from "./episodes.ts";
import { gameOf, legalIn, unsearchable } from "./game.ts";
import { networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep } from "./memory.ts";
import { lookAhead } from "./search/lookAhead.ts";
import type { LookAhead } from "./search/searchSettings.ts";

/** Begins the names of an opponent's buffers, and of the symbols of its widths. */
export const OPPONENT = "opponent.";

/**
 * Rules that need no networks: any legal move; a move that wins, else one that stops the opponent's win, else any; simple
 * players of single games, such as a paddle that follows the ball.
 */
export const RULES = ["random", "one_step", "follow", "hold_at_20"] as const;
export type RuleName = (typeof RULES)[number];

/**
 * What moves for the other player: the learner's own networks as they are at that point of the program; another agent's, in
 * buffers whose names begin with {@link OPPONENT}; or a rule.
 */
export type Mover =
  | { readonly kind: "self" | "agent"; readonly structure: AgentStructure; readonly search?: LookAhead }
  | { readonly kind: RuleName };

/** How often an opponent whose actions are not sampled moves at random. Equal opponents would repeat their games. */
export const OPPONENT_EPSILON = 0.05;

/** Chooses moves of all lanes where the state is the opponent's to move in. @param draws As many uniform vectors [n] as {@link DRAWS}. */
export type Chooses = (env: CompiledEnvironment, state: EnvState, draws: readonly [Tensor, Tensor]) => Tensor;
export const DRAWS = 2;

/** Moves of a policy: sampled if it is stochastic, otherwise greedy, with few random ones. */
const byPolicy =
  (structure: AgentStructure, prefix: string): Chooses =>
  (env, state, draws) => {
    const { algorithm } = structure;
    const networks = readNetworks(structure, algorithm.policies, prefix);
    const mask = legalIn(env, state);
    const obs = networkInput(structure, env.observation_space, env.observe(state));
    if (algorithm.kind === "on_policy") {
      const { latents } = encodeStep(algorithm, networks, obs, env);
      return algorithm.act(networks, latents, (count) => draws.slice(0, count), env, mask).applied;
    }
    const { action } = greedyAction(algorithm, networks, { obs, mask }, env);
    const [chance, which] = draws;
    return select(
      less(chance, OPPONENT_EPSILON),
      randomChoice(which, choicesOf(env.action_space), mask),
      action,
    );
  };

/** One of the best legal moves, uniformly. @param scores f32 [n, actions]. */
function bestOf(scores: Tensor, mask: Tensor, uniform: Tensor): Tensor {
  const [n, k] = mask.shape as [Dim, number];
  const legal = select(greater(mask, 0), scores, Number.NEGATIVE_INFINITY);
  const best = equal(legal, reshape(max(legal), [n, 1]));
  return randomChoice(uniform, k, cast(best, "f32"));
}

/** The state of each lane once for each action, [n actions, ...]. */
const spread = (state: EnvState, actions: number): EnvState =>
  Object.fromEntries(
    Object.entries(state).map(([name, x]) => {
      const [n, ...rest] = x.shape as [Dim, ...Dim[]];
      const beside = broadcastTo(reshape(x, [n, 1, ...rest]), [n, actions, ...rest]);
      return [name, reshape(beside, [mulDims(n, actions), ...rest])];
    }),
  );

/** Whether each action wins at once for a player, f32 [n, actions]: 1 or 0; the player is the one to move in `state`. */
function winsBy(env: CompiledEnvironment, state: EnvState, actions: number): Tensor {
  const n = (Object.values(state)[0] as Tensor).shape[0] as Dim;
  const each = broadcastTo(reshape(iota(actions), [1, actions]), [n, actions]);
  const { reward } = env.step(spread(state, actions), reshape(each, [mulDims(n, actions)]), []);
  return reshape(cast(greater(reward, 0), "f32"), [n, actions]);
}

const byOwnRule: Chooses = (env, state) => {
  const { own_rule } = gameOf(env);
  if (!own_rule) throw new TypeError(`${env.id}: has no rule of its own`);
  return own_rule(state);
};

export const byRule: Readonly<Record<RuleName, Chooses>> = {
  random: (env, state, [uniform]) => randomChoice(uniform, choicesOf(env.action_space), legalIn(env, state)),
  one_step: (env, state, [uniform]) => {
    const actions = choicesOf(env.action_space);
    // What would win for the other player, if it were its move.
    const passed = { ...state, mover: sub(1, state.mover as Tensor) };
    const scores = add(mul(winsBy(env, state, actions), 2), winsBy(env, passed, actions));
    return bestOf(scores, legalIn(env, state), uniform);
  },
  follow: byOwnRule,
  hold_at_20: byOwnRule,
};

/** Whether a game has no such rule to play against. */
export function lacksRule(env: CompiledEnvironment, rule: RuleName): boolean {
  if (rule === "random") return false;
  return rule === "one_step" ? unsearchable(env) !== null : env.game?.rules.own_rule?.name !== rule;
}

/** How an opponent chooses its moves. */
export function choosesOf(mover: Mover): Chooses {
  if (!("structure" in mover)) return byRule[mover.kind];
  const { kind, structure, search } = mover;
  const prefix = kind === "self" ? "" : OPPONENT;
  if (!search) return byPolicy(structure, prefix);
  return (env, state) => lookAhead(structure, env, state, search, prefix).action;
}
