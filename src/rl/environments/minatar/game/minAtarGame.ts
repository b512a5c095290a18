/**
 * Code shared by the MinAtar games (Young and Tian 2019, arXiv 1903.03176): a picture of 10 by 10 cells with
 * one channel per kind of object, the keys that have an effect, and sticky actions.
 */
import {
  add,
  bitAnd,
  bitOr,
  cast,
  type Dim,
  equal,
  floor,
  less,
  mul,
  not,
  reshape,
  select,
  shiftLeft,
  sub,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { Box, Discrete } from "../../../spaces.ts";
import {
  type CompiledEnvironment,
  knownState,
  type Transition,
} from "../../definition/compiledEnvironment.ts";
import type { Glyph } from "../../drawing/drawing.ts";
import { Board, type Cell, GameNumbers, lanesOf, SIDE } from "./board.ts";
import { minAtarDrawing } from "./drawMinAtar.ts";
import { beside, columnBit } from "./rowBits.ts";

/** Channels whose row bits fit side by side into one 32-bit word. */
const PER_WORD = 3;

/**
 * The agent's observation: f32 [n, 10, 10, channels], 1 where a channel's cell is occupied, otherwise 0.
 *
 * The bits of each row are packed into a few words, and each number of the picture tests one bit. This takes
 * few operations on the picture's many numbers.
 *
 * @param channels Row bits of each channel, i32 [n, 10].
 */
function picture(board: Board, channels: readonly Tensor[]): Tensor {
  const count = channels.length;
  const place = board.numbers(SIDE * count);
  // Adding a half keeps the quotient away from integers, whatever the rounding.
  const column = floor(mul(add(place, 0.5), 1 / count));
  const channel = sub(place, mul(column, count));
  const bit = columnBit(column);

  let lit: Tensor | null = null;
  for (let first = 0; first < count; first += PER_WORD) {
    let word: Tensor | null = null;
    let mask: Tensor | null = null;
    for (const [i, rows] of channels.slice(first, first + PER_WORD).entries()) {
      const bits = shiftLeft(rows, SIDE * i);
      const own = select(equal(channel, first + i), shiftLeft(bit, SIDE * i), 0);
      word = word ? bitOr(word, bits) : bits;
      mask = mask ? bitOr(mask, own) : own;
    }
    if (!word || !mask) break;
    const seen = bitAnd(beside(word), mask);
    lit = lit ? bitOr(lit, seen) : seen;
  }
  if (!lit) throw new RangeError("picture: found no channels, allowed at least one");
  return reshape(cast(not(equal(lit, 0)), "f32"), [lanesOf(lit), SIDE, SIDE, count]);
}

/** A key of the games. */
export type Key = "none" | "left" | "up" | "right" | "down" | "fire";

/** Probability that a step repeats the action of the previous step, whatever the agent chooses. */
const STICKY_ACTION_PROBABILITY = 0.1;

/**
 * Steps after which an episode is truncated. MinAtar's own registration sets no limit. This limit is four
 * times the length of the only game with a time limit, and far beyond the episodes of trained agents in the
 * paper.
 */
const MAX_EPISODE_STEPS = 10_000;

/** MinAtar's own display shows a step for 50 ms. */
const FRAME_RATE = 20;

type State<Variable extends string> = Readonly<Record<Variable, Tensor>>;

/** Definition of a game. Positions: column x from 0 (left) to 9, row y from 0 (top) to 9. */
export interface MinAtarGame<Variable extends string, Channel extends string> {
  /** The part of the id between `MinAtar/` and `-v1`. */
  readonly name: string;
  /** Kinds of objects, in the order of the observation's last axis. */
  readonly channels: readonly Channel[];
  /** Keys that have an effect in this game, in the order of the action's values; the first is "none". */
  readonly keys: readonly Key[];
  /** Shape of each state variable in a lane. */
  readonly state: Readonly<Record<Variable, readonly number[]>>;
  /** How many vectors of uniform [0, 1) numbers a reset, and a step, need. */
  readonly resetDraws: number;
  readonly stepDraws: number;
  readonly reset: (draws: readonly Tensor[], num_envs: Dim, board: Board) => State<Variable>;
  /** Occupied cells for drawings; cells in front come last. Cells outside the grid are not shown. */
  readonly cells: (state: GameNumbers) => Cell[];
  readonly glyph?: Glyph;
  /** Row bits of each channel, i32 [num_envs, 10]. */
  readonly show: (state: State<Variable>, board: Board) => Readonly<Record<Channel, Tensor>>;
  /** `pressed`: whether a key is pressed in this step, bool [num_envs]. */
  readonly step: (
    state: State<Variable>,
    pressed: (key: Key) => Tensor,
    draws: readonly Tensor[],
    board: Board,
  ) => Transition<Variable>;
}

/** A game as an environment. */
export interface MinAtarEnvironment extends CompiledEnvironment {
  readonly channels: readonly string[];
  /** The key of each value of the action. */
  readonly keys: readonly Key[];
  /** Occupied cells of a state within the grid; cells in front come last. */
  readonly cells: (state: ArrayLike<number>) => Cell[];
}

/**
 * The game as an environment: minimal actions, sticky with probability 0.1, difficulty ramping as published.
 */
export function minAtarGame<Variable extends string, Channel extends string>(
  game: MinAtarGame<Variable, Channel>,
): MinAtarEnvironment {
  const { name, channels, keys, state: shapes, glyph } = game;
  const id = `MinAtar/${name}-v1`;
  const own = Object.keys(shapes) as Variable[];
  const known = (state: Readonly<Record<string, Tensor>>) => knownState(id, variables, state);
  const variables = [...own, "last_action"] as const;
  const cells = (state: ArrayLike<number>): Cell[] =>
    game.cells(new GameNumbers(shapes, state)).filter(({ x }) => x >= 0 && x < SIDE);
  return {
    id,
    channels,
    keys,
    cells,
    draw: minAtarDrawing(keys, cells),
    ...(glyph && { glyph }),
    frame_rate: FRAME_RATE,
    observation_space: new Box({
      low: 0,
      high: 1,
      shape: [SIDE, SIDE, channels.length],
      dtype: "uint8",
    }),
    action_space: new Discrete(keys.length),
    action_names: keys,
    max_episode_steps: MAX_EPISODE_STEPS,
    reward_threshold: null,
    variables,
    variableShapes: shapes,
    resetDraws: game.resetDraws,
    stepDraws: game.stepDraws + 1,
    reset: (draws, num_envs) => ({
      ...game.reset(draws, num_envs, new Board()),
      last_action: zeros([num_envs]),
    }),
    observe: (state) => {
      const board = new Board();
      const rows = game.show(known(state), board);
      return picture(
        board,
        channels.map((channel) => rows[channel]),
      );
    },
    step: (given, action, draws) => {
      const state = known(given);
      const [sticky, ...others] = draws;
      if (!sticky || others.length !== game.stepDraws)
        throw new RangeError(`${id}: step: found ${draws.length} draws, allowed ${game.stepDraws + 1}`);
      const chosen = cast(action, "f32");
      const played = select(less(sticky, STICKY_ACTION_PROBABILITY), state.last_action, chosen);
      const pressed = (key: Key): Tensor => {
        const index = keys.indexOf(key);
        if (index < 0) throw new RangeError(`${id}: key "${key}" is none of ${keys.join(", ")}`);
        return equal(played, index);
      };
      const next = game.step(state, pressed, others, new Board());
      return { ...next, state: { ...next.state, last_action: played } };
    },
  };
}
