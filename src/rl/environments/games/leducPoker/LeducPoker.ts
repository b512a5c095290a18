import {
  add,
  and,
  cast,
  column,
  concat,
  type Dim,
  equal,
  floor,
  greater,
  greaterEqual,
  iota,
  less,
  mul,
  neg,
  or,
  reshape,
  select,
  slice,
  stackColumns,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { dealtCard, HIDDEN, oneHots } from "../cards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawPoker } from "../drawPoker.ts";
import {
  CALL,
  CHIPS,
  DECK,
  FOLD,
  leducPoker,
  MAX_RAISES,
  PUBLIC,
  RAISE,
  RAISE_CHIPS,
  ROUND_MOVES,
  ROUNDS,
  SUITS,
} from "./rules.ts";

const MOVES = ROUNDS * ROUND_MOVES;

/** A player's number of a pair in each lane: f32 [n, 2] -> f32 [n]. */
const ofPlayer = (pair: Tensor, player: Tensor): Tensor =>
  select(equal(player, 0), column(pair, 0), column(pair, 1));

/** Moves of the running round, f32 [n, 4]. */
const roundMoves = (moves: Tensor, round: Tensor): Tensor =>
  select(
    equal(reshape(round, [round.shape[0] as Dim, 1]), 0),
    slice(moves, 0, ROUND_MOVES),
    slice(moves, ROUND_MOVES, ROUND_MOVES),
  );

const count = (which: Tensor): Tensor => sum(cast(which, "f32"));

const rankOf = (card: Tensor): Tensor => floor(mul(card, 1 / SUITS));

const worth = (card: Tensor, table: Tensor): Tensor => {
  const rank = rankOf(card);
  return select(equal(rank, rankOf(table)), add(rank, DECK), rank);
};

const sign = (x: Tensor): Tensor => sub(cast(greater(x, 0), "f32"), cast(less(x, 0), "f32"));

/** LeducPoker as tensors. `cards` and `table` are 0 to 5; `moves` are -1 where none was made. */
export const LeducPoker = compiledGame({
  rules: leducPoker,
  draw: drawPoker({
    ranks: DECK / SUITS,
    suits: SUITS,
    table: PUBLIC,
    chips: (state) => [state[CHIPS] ?? 0, state[CHIPS + 1] ?? 0],
  }),
  glyph: [
    { path: "M8 10h14v26h-14zM29 10h14v26h-14zM50 10h14v26h-14z" },
    { path: "M36 20a3 3 0 1 1 0 6 3 3 0 1 1 0-6z", style: "body" },
    { path: "M11 41h8M53 41h8", style: "moving" },
  ],
  frame_rate: 1,
  variables: ["cards", "table", "moves", "chips", "round", "ended"],
  variableShapes: { cards: [2], moves: [MOVES], chips: [2] },
  resetDraws: 2,
  stepDraws: 1,
  reset: ([one, two], n) => {
    const first = dealtCard(one as Tensor, DECK);
    return {
      cards: stackColumns([first, dealtCard(two as Tensor, DECK, [first])]),
      table: add(zeros([n]), HIDDEN),
      moves: add(zeros([n, MOVES]), HIDDEN),
      chips: add(zeros([n, 2]), 1),
      round: zeros([n]),
      ended: zeros([n]),
      mover: zeros([n]),
    };
  },
  observe: ({ cards, table, moves, mover }) => {
    const [n = 0] = mover.shape;
    const made = reshape(moves, [n, MOVES, 1]);
    const seen = (move: number) => cast(equal(made, move), "f32");
    return concat([
      oneHots(mover, 2),
      oneHots(ofPlayer(cards, mover), DECK),
      oneHots(table, DECK),
      reshape(concat([seen(CALL), seen(RAISE)]), [n, 2 * MOVES]),
    ]);
  },
  legal: ({ moves, chips, round, mover }) => {
    const faces = greater(ofPlayer(chips, sub(1, mover)), ofPlayer(chips, mover));
    const raises = count(equal(roundMoves(moves, round), RAISE));
    const calls = greaterEqual(raises, 0);
    return stackColumns([faces, calls, less(raises, MAX_RAISES)].map((allowed) => cast(allowed, "f32")));
  },
  step: ({ cards, table, moves, chips, round, mover }, action, [draw]) => {
    const [n = 0] = mover.shape;
    const turn = count(greaterEqual(roundMoves(moves, round), 0));
    const place = reshape(add(mul(round, ROUND_MOVES), turn), [n, 1]);
    const [folds, calls] = [equal(action, FOLD), equal(action, CALL)];
    const [own, other] = [ofPlayer(chips, mover), ofPlayer(chips, sub(1, mover))];
    const raise = mul(add(round, 1), RAISE_CHIPS);
    const paid = select(folds, own, add(other, select(calls, 0, raise)));
    const closes = and(calls, greaterEqual(turn, 1));
    const opens = and(closes, equal(round, 0));
    const ended = or(folds, and(closes, equal(round, 1)));
    const hand = (player: Tensor) => worth(ofPlayer(cards, player), table);
    const shown = mul(sign(sub(hand(mover), hand(sub(1, mover)))), paid);
    const isMover = equal(cast(iota(2), "f32"), reshape(mover, [n, 1]));
    const dealt = dealtCard(draw as Tensor, DECK, [column(cards, 0), column(cards, 1)]);
    return {
      state: {
        cards,
        table: select(opens, dealt, table),
        moves: select(equal(cast(iota(MOVES), "f32"), place), reshape(cast(action, "f32"), [n, 1]), moves),
        chips: select(isMover, reshape(paid, [n, 1]), chips),
        round: select(opens, 1, round),
        ended: cast(ended, "f32"),
        mover: select(opens, 0, sub(1, mover)),
      },
      reward: select(ended, select(folds, neg(own), shown), 0),
      terminated: ended,
    };
  },
});
