/** Games of two players as environments of one agent: the opponent's move is part of a step. */
import {
  add,
  and,
  cast,
  equal,
  floor,
  greater,
  iota,
  mul,
  not,
  or,
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
import type { CompiledEnvironment, EnvState } from "../environments/definition/compiledEnvironment.ts";
import { choicesOf } from "../spaces.ts";
import { gameOf, legalIn, movesInARow } from "./game.ts";
import { byRule, type Chooses, choosesOf, DRAWS, type Mover } from "./opponents.ts";

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
