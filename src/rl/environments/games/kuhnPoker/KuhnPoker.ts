import {
  add,
  and,
  cast,
  column,
  concat,
  equal,
  greater,
  greaterEqual,
  iota,
  minimum,
  neg,
  not,
  ones,
  or,
  reshape,
  select,
  stackColumns,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { dealtCard, HIDDEN, oneHots } from "../cards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawPoker } from "../drawPoker.ts";
import { BET, DECK, kuhnPoker, MOVES } from "./rules.ts";

const chipsOf = (state: ArrayLike<number>): readonly [number, number] => {
  const bets = (turn: number) => Number(state[2 + turn] === BET);
  return [1 + bets(0) + bets(2), 1 + bets(1)];
};

/** KuhnPoker as tensors. `cards` are 0 to 2; `moves` are -1 where none was made. */
export const KuhnPoker = compiledGame({
  rules: kuhnPoker,
  draw: drawPoker({ ranks: DECK, suits: 1, chips: chipsOf }),
  glyph: [
    { path: "M14 10h14v26h-14zM44 10h14v26h-14z" },
    { path: "M21 20a3 3 0 1 1 0 6 3 3 0 1 1 0-6z", style: "body" },
    { path: "M32 38h8M32 34h8", style: "moving" },
  ],
  frame_rate: 1,
  variables: ["cards", "moves"],
  variableShapes: { cards: [2], moves: [MOVES] },
  resetDraws: 2,
  stepDraws: 0,
  reset: ([one, two], n) => {
    const first = dealtCard(one as Tensor, DECK);
    return {
      cards: stackColumns([first, dealtCard(two as Tensor, DECK, [first])]),
      moves: add(zeros([n, MOVES]), HIDDEN),
      mover: zeros([n]),
    };
  },
  observe: ({ cards, moves, mover }) => {
    const card = select(equal(mover, 0), column(cards, 0), column(cards, 1));
    const made = Array.from({ length: MOVES }, (_, turn) => oneHots(column(moves, turn), 2));
    return concat([oneHots(mover, 2), oneHots(card, DECK), ...made]);
  },
  legal: ({ cards }) => ones([...cards.shape.slice(0, 1), 2]),
  step: ({ cards, moves, mover }, action) => {
    const [n = 0] = mover.shape;
    const made = sum(cast(greaterEqual(moves, 0), "f32"));
    const here = equal(cast(iota(MOVES), "f32"), reshape(made, [n, 1]));
    const after = select(here, reshape(cast(action, "f32"), [n, 1]), moves);
    const bets = (turn: number) => cast(equal(column(after, turn), BET), "f32");
    const [first, second] = [add(1, add(bets(0), bets(2))), add(1, bets(1))];
    const higher = greater(column(cards, 0), column(cards, 1));
    const wins = or(greater(first, second), and(equal(first, second), higher));
    const answers = and(equal(column(after, 0), 0), equal(column(after, 1), BET));
    const ended = or(equal(made, 2), and(equal(made, 1), not(answers)));
    const won = minimum(first, second);
    const isFirst = equal(mover, 0);
    const moverWins = or(and(isFirst, wins), not(or(isFirst, wins)));
    return {
      state: { cards, moves: after, mover: sub(1, mover) },
      reward: select(ended, select(moverWins, won, neg(won)), 0),
      terminated: ended,
    };
  },
});
