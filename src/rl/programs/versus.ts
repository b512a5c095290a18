/** Games of two players as environments of one agent: the opponent's move is part of a step. */
import {
  add,
  and,
  cast,
  constant,
  type Dim,
  equal,
  floor,
  greater,
  iota,
  mul,
  not,
  or,
  randomUniform,
  reinterpret,
  scan,
  select,
  stackColumns,
  sub,
  sumAll,
  type Tensor,
  transpose,
  zeros,
} from "../../kernels/index.ts";
import { randomChoice } from "../contract/choices.ts";
import { chooseLanes } from "../environments/compiled/vectorStep.ts";
import type { CompiledEnvironment, EnvState } from "../environments/definition/compiledEnvironment.ts";
import { choicesOf } from "../spaces.ts";
import { gameOf, legalIn } from "./game.ts";
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

/** Lanes while the opponent moves. */
interface Answer {
  readonly state: EnvState;
  /** Whether it is the opponent's turn. */
  readonly waits: Tensor;
  /** The opponent's. */
  readonly reward: Tensor;
  readonly terminated: Tensor;
}

/** An answer as a list, for a scan. */
const answerValues = (
  { variables }: CompiledEnvironment,
  { state, waits, reward, terminated }: Answer,
): Tensor[] => [waits, reward, terminated, ...variables.map((name) => state[name] as Tensor)];

/** The inverse of {@link answerValues}. */
function answerOf({ variables }: CompiledEnvironment, values: readonly Tensor[]): Answer {
  const [waits, reward, terminated, ...state] = values as [Tensor, Tensor, Tensor, ...Tensor[]];
  return {
    waits,
    reward,
    terminated,
    state: Object.fromEntries(variables.map((name, i) => [name, state[i] as Tensor])),
  };
}

const isAny = (flags: Tensor): Tensor => greater(sumAll(cast(flags, "f32")), 0);

/** Uniform vectors of the t-th of several moves in a row: a hash of those of the first two numbers. */
function redrawn(draws: readonly Tensor[], t: Tensor, count: number): Tensor[] {
  const [a, b] = draws as [Tensor, Tensor];
  const key = [reinterpret(a, "u32"), reinterpret(b, "u32")] as const;
  const groups = Array.from({ length: Math.ceil(count / 4) }, (_, stream) =>
    randomUniform({ key, stream, step: t }, a.shape[0] as Dim),
  );
  return groups.flat().slice(0, count);
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
 * is all its moves where the game lets it keep the turn; its reward is the agent's.
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
  /** Draws of one move of the opponent. */
  const moveDraws = DRAWS + env.stepDraws;
  const { keeps_turn = false, max_moves } = face.rules;
  /** Draws of an answer: those of its only move, or of two numbers that give those of each move. */
  const answerDraws = keeps_turn ? 2 : moveDraws;
  const waitsFor = (state: EnvState, seat: Tensor): Tensor => not(equal(face.mover(state), seat));
  /** The opponent makes one move in lanes where it has to; others stay as they are. */
  const moved = (from: Answer, seat: Tensor, chooses: Chooses, draws: readonly Tensor[]): Answer => {
    const { state, waits } = from;
    const [first, second, ...own] = draws as [Tensor, Tensor, ...Tensor[]];
    const after = env.step(state, chooses(env, state, [first, second]), own);
    const next = lanesOf(env, waits, after.state, state);
    return {
      state: next,
      reward: add(from.reward, select(waits, after.reward, 0)),
      terminated: or(from.terminated, and(waits, after.terminated)),
      waits: and(and(waits, not(after.terminated)), waitsFor(next, seat)),
    };
  };
  /** The opponent moves until no lane waits for it. */
  const answered = (
    { state, waits }: Pick<Answer, "state" | "waits">,
    seat: Tensor,
    chooses: Chooses,
    draws: readonly Tensor[],
  ): Answer => {
    const before = { state, waits, reward: zeros(seat.shape), terminated: zeros(seat.shape, "bool") };
    if (!keeps_turn) return moved(before, seat, chooses, draws);
    const count = select(isAny(waits), constant(max_moves, "i32"), 0);
    const { carry } = scan({ count, carry: answerValues(env, before) }, (values, _x, t) => {
      const own = redrawn(draws, t, moveDraws);
      const after = moved(answerOf(env, values), seat, chooses, own);
      return { carry: answerValues(env, after), until: not(isAny(after.waits)) };
    });
    return answerOf(env, carry);
  };
  const resetDraws = env.resetDraws + openingDraws(env, opening_moves);
  return {
    ...facts,
    ...(symmetries && face.rules.symmetries && { symmetries: face.rules.symmetries }),
    max_episode_steps: Math.ceil(env.max_episode_steps / 2),
    variables: [...env.variables, "seat"],
    resetDraws: resetDraws + answerDraws,
    stepDraws: env.stepDraws + answerDraws,
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
