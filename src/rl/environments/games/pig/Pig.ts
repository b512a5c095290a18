import { z } from "zod";
import {
  add,
  and,
  cast,
  column,
  equal,
  greaterEqual,
  iota,
  less,
  mul,
  not,
  ones,
  or,
  reshape,
  select,
  stackColumns,
  sub,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { withArguments } from "../../definition/compiledEnvironment.ts";
import { drawInteger } from "../../dynamics/numbers.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawPig } from "./drawPig.ts";
import { FACES, HOLD, HOLD_AT, pigRules, ROLL } from "./rules.ts";

const Arguments = {
  /** Points that win. */
  target: z.number().int().min(2).max(1000).default(100),
};

type PigState = Readonly<Record<"scores" | "turn_total" | "die" | "mover", Tensor>>;

/** Points that the mover has if it holds. */
const held = ({ scores, turn_total, mover }: PigState): Tensor =>
  add(select(equal(mover, 0), column(scores, 0), column(scores, 1)), turn_total);

/** Pig as tensors. `turn_total` are the points of the turn; `die` is the last face of the turn, or 0. */
export const Pig = withArguments("rlkit/Pig", Arguments, ({ target }) =>
  compiledGame({
    rules: pigRules(target),
    draw: drawPig(target),
    glyph: [
      { path: "M22 12h24v24h-24z" },
      { path: "M31 18a3 3 0 1 1-6 0 3 3 0 1 1 6 0zM43 30a3 3 0 1 1-6 0 3 3 0 1 1 6 0z", style: "body" },
      { path: "M52 18a9 9 0 0 1 0 12", style: "moving" },
    ],
    frame_rate: 3,
    variables: ["scores", "turn_total", "die"],
    variableShapes: { scores: [2] },
    resetDraws: 0,
    stepDraws: 1,
    reset: (_draws, n) => ({
      scores: zeros([n, 2]),
      turn_total: zeros([n]),
      die: zeros([n]),
      mover: zeros([n]),
    }),
    observe: ({ scores, turn_total, mover }) => {
      const [first, second] = [column(scores, 0), column(scores, 1)];
      const isFirst = equal(mover, 0);
      const points = [select(isFirst, first, second), select(isFirst, second, first), turn_total];
      return stackColumns(points.map((value) => mul(value, 1 / target)));
    },
    legal: (state) => stackColumns([ones(state.mover.shape), cast(less(held(state), target), "f32")]),
    own_rule: (state) =>
      cast(
        select(or(greaterEqual(state.turn_total, HOLD_AT), greaterEqual(held(state), target)), HOLD, ROLL),
        "i32",
      ),
    step: ({ scores, turn_total, mover }, action, [draw]) => {
      const [n = 0] = mover.shape;
      const face = add(drawInteger(draw as Tensor, FACES), 1);
      const holds = equal(action, HOLD);
      const loses = and(not(holds), equal(face, 1));
      const ends = or(holds, loses);
      const isMover = equal(cast(iota(2), "f32"), reshape(mover, [n, 1]));
      const added = add(scores, reshape(select(holds, turn_total, 0), [n, 1]));
      const next = select(isMover, added, scores);
      const own = select(equal(mover, 0), column(next, 0), column(next, 1));
      const won = greaterEqual(own, target);
      return {
        state: {
          scores: next,
          turn_total: select(ends, 0, add(turn_total, face)),
          die: select(holds, 0, face),
          mover: select(ends, sub(1, mover), mover),
        },
        reward: cast(won, "f32"),
        terminated: won,
      };
    },
  }),
);
