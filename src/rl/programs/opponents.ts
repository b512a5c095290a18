/** Games of two players as environments of one agent: the opponent's move is part of a step. */
import {
  add,
  and,
  broadcastTo,
  cast,
  type Dim,
  equal,
  floor,
  greater,
  iota,
  less,
  max,
  mul,
  mulDims,
  not,
  or,
  reshape,
  scan,
  select,
  stackColumns,
  sub,
  type Tensor,
  transpose,
  zeros,
} from "../../kernels/index.ts";
import { randomChoice } from "../contract/choices.ts";
import { chooseLanes } from "../environments/compiled/vectorStep.ts";
import type {
  CompiledEnvironment,
  EnvState,
  GameFace,
} from "../environments/definition/compiledEnvironment.ts";
import { choicesOf } from "../spaces.ts";
import { greedyAction } from "./episodes.ts";
import { networkInput } from "./lanes.ts";
import { type AgentStructure, readNetworks } from "./learning.ts";
import { encodeStep } from "./memory.ts";

/** Begins the names of an opponent's buffers, and of the symbols of its widths. */
export const OPPONENT = "opponent.";

/**
 * Rules that need no networks: any legal move; a move that wins, else one that stops the opponent's win, else any; the game's
 * own simple player.
 */
export const RULES = ["random", "one_step", "follow"] as const;
export type RuleName = (typeof RULES)[number];

/**
 * What moves for the other player: the learner's own networks as they are at that point of the program; another agent's, in
 * buffers whose names begin with {@link OPPONENT}; or a rule.
 */
export type Mover =
  | { readonly kind: "self" | "agent"; readonly structure: AgentStructure }
  | { readonly kind: RuleName };

/** How often an opponent whose actions are not sampled moves at random. Equal opponents would repeat their games. */
export const OPPONENT_EPSILON = 0.05;

/** Chooses moves of all lanes where the state is the opponent's to move in. @param draws Two uniform vectors [n]. */
type Chooses = (env: CompiledEnvironment, state: EnvState, draws: readonly [Tensor, Tensor]) => Tensor;
const DRAWS = 2;

/** Legal moves, f32 [n, actions]. @throws TypeError for an environment without a mask. */
export const legalIn = (env: CompiledEnvironment, state: EnvState): Tensor => {
  const mask = env.actionMask?.(state);
  if (!mask) throw new TypeError(`${env.id}: a game needs an action mask`);
  return mask;
};

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

const byRule: Readonly<Record<RuleName, Chooses>> = {
  random: (env, state, [uniform]) => randomChoice(uniform, choicesOf(env.action_space), legalIn(env, state)),
  one_step: (env, state, [uniform]) => {
    const actions = choicesOf(env.action_space);
    // What would win for the other player, if it were its move.
    const passed = { ...state, mover: sub(1, state.mover as Tensor) };
    const scores = add(mul(winsBy(env, state, actions), 2), winsBy(env, passed, actions));
    return bestOf(scores, legalIn(env, state), uniform);
  },
  follow: (env, state) => {
    const { follow } = gameOf(env);
    if (!follow) throw new TypeError(`${env.id}: has no rule of its own to follow`);
    return follow(state);
  },
};

function choosesOf(mover: Mover): Chooses {
  if (mover.kind === "self") return byPolicy(mover.structure, "");
  return mover.kind === "agent" ? byPolicy(mover.structure, OPPONENT) : byRule[mover.kind];
}

/**
 * The game of an environment.
 * @throws RangeError naming the environment, if it is not a game, or if a player's consecutive moves are unbounded.
 */
export function gameOf({ id, game }: CompiledEnvironment): GameFace {
  const found =
    game === undefined ? "an environment of one agent" : "a game without a bound of moves in a row";
  if (game && Number.isFinite(movesInARow(game))) return game;
  throw new RangeError(`${id}: found ${found}, allowed games of two players who take turns`);
}

const movesInARow = ({ rules }: GameFace): number => rules.moves_in_a_row ?? 1;

/** The state `fresh` in lanes whose flag is set, otherwise `kept`. */
const lanesOf = (env: CompiledEnvironment, flag: Tensor, fresh: EnvState, kept: EnvState): EnvState =>
  Object.fromEntries(
    env.variables.map((name) => [name, chooseLanes(flag, fresh[name] as Tensor, kept[name] as Tensor)]),
  );

/** Draws of an opening of random moves: how many there are, then those of each. */
const openingDraws = ({ stepDraws }: CompiledEnvironment, moves: number): number =>
  moves === 0 ? 0 : 1 + moves * (1 + stepDraws);

/** States after random moves, up to `most`; a move that would end the game is not made, and none follows it. */
function opened(env: CompiledEnvironment, first: EnvState, draws: readonly Tensor[], most: number): EnvState {
  const [uniform, ...others] = draws;
  if (!uniform) return first;
  const count = floor(mul(uniform, most + 1));
  const each = others.length / most;
  const xs = Array.from({ length: each }, (_, i) =>
    transpose(stackColumns(others.filter((_draw, place) => place % each === i))),
  );
  const { carry } = scan(
    { count: most, carry: [count, ...env.variables.map((name) => first[name] as Tensor)], xs },
    ([left, ...values], x) => {
      const state = Object.fromEntries(env.variables.map((name, i) => [name, values[i] as Tensor]));
      const [choice, ...own] = x as [Tensor, ...Tensor[]];
      const action = randomChoice(choice, choicesOf(env.action_space), legalIn(env, state));
      const moved = env.step(state, action, own);
      const isMade = and(greater(left as Tensor, 0), not(moved.terminated));
      const next = Object.values(lanesOf(env, isMade, moved.state, state));
      return { carry: [select(isMade, sub(left as Tensor, 1), 0), ...next] };
    },
  );
  return Object.fromEntries(env.variables.map((name, i) => [name, carry[i + 1] as Tensor]));
}

/** How games against an opponent begin, and how they are learnt. */
export interface VersusOptions {
  /**
   * How the opponent begins: by its policy, or with any legal move, which costs nothing and shows the agent all openings
   * (default: by its policy).
   */
  readonly opening?: "played" | "random";
  /** Most random moves, of both players, that a game begins with: each number up to it is as likely (default: 0). */
  readonly opening_moves?: number;
  /** Whether learning takes positions in the game's symmetric forms (default: false). */
  readonly symmetries?: boolean;
}

/**
 * A game against an opponent, as an environment of one agent. In lanes with an even number the agent has the first move,
 * in the others the opponent has. A step is the agent's move and the opponent's answer, which
 * is more than one move where the game lets it move again; its reward is the agent's.
 */
export function versus(
  env: CompiledEnvironment,
  mover: Mover,
  { opening = "played", opening_moves = 0, symmetries = false }: VersusOptions = {},
): CompiledEnvironment {
  const { game: _game, actionMask: _mask, withOptions: _options, ...facts } = env;
  const face = gameOf(env);
  const answers = choosesOf(mover);
  const begins = opening === "random" ? byRule.random : answers;
  const turns = movesInARow(face);
  /** Draws of one move of the opponent. */
  const moveDraws = DRAWS + env.stepDraws;
  const waitsFor = (state: EnvState, seat: Tensor): Tensor => not(equal(face.mover(state), seat));
  /** The opponent moves in lanes where it has to; others stay as they are. `reward` is the opponent's. */
  const answered = (
    from: { readonly state: EnvState; readonly waits: Tensor },
    seat: Tensor,
    chooses: Chooses,
    draws: readonly Tensor[],
  ) => {
    let { state, waits } = from;
    let reward = zeros(seat.shape);
    let terminated = zeros(seat.shape, "bool");
    for (let turn = 0; turn < turns; turn++) {
      const own = draws.slice(turn * moveDraws, (turn + 1) * moveDraws);
      const action = chooses(env, state, [own[0] as Tensor, own[1] as Tensor]);
      const moved = env.step(state, action, own.slice(DRAWS));
      const last = { state, waits };
      state = lanesOf(env, last.waits, moved.state, last.state);
      reward = add(reward, select(waits, moved.reward, 0));
      terminated = or(terminated, and(waits, moved.terminated));
      waits = and(and(waits, not(moved.terminated)), waitsFor(state, seat));
    }
    return { state, reward, terminated };
  };
  const resetDraws = env.resetDraws + openingDraws(env, opening_moves);
  return {
    ...facts,
    ...(symmetries && face.rules.symmetries && { symmetries: face.rules.symmetries }),
    max_episode_steps: Math.ceil(env.max_episode_steps / 2),
    variables: [...env.variables, "seat"],
    resetDraws: resetDraws + turns * moveDraws,
    stepDraws: env.stepDraws + turns * moveDraws,
    reset: (draws, n) => {
      const first = env.reset(draws.slice(0, env.resetDraws), n);
      const lane = cast(iota(n), "f32");
      const seat = sub(lane, mul(floor(mul(lane, 0.5)), 2));
      const begun = (state: EnvState) =>
        answered({ state, waits: waitsFor(state, seat) }, seat, begins, draws.slice(resetDraws));
      const begin = begun(first).state;
      if (opening_moves === 0) return { ...begin, seat };
      const later = begun(opened(env, first, draws.slice(env.resetDraws, resetDraws), opening_moves));
      // An answer that ends the game would leave nothing to play.
      return { ...lanesOf(env, later.terminated, begin, later.state), seat };
    },
    observe: (state) => env.observe(state),
    actionMask: (state) => legalIn(env, state),
    step: ({ seat, ...before }, action, draws) => {
      const own = env.step(before, action, draws.slice(0, env.stepDraws));
      const waits = and(not(own.terminated), waitsFor(own.state, seat as Tensor));
      const theirs = answered(
        { state: own.state, waits },
        seat as Tensor,
        answers,
        draws.slice(env.stepDraws),
      );
      return {
        state: { ...theirs.state, seat: seat as Tensor },
        reward: sub(own.reward, theirs.reward),
        terminated: or(own.terminated, theirs.terminated),
      };
    },
  };
}
