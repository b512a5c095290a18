/**
 * Hindsight experience replay (Andrychowicz et al. 2017): transitions are learnt from as if a goal had been desired that
 * the same episode achieved. Goals are drawn when transitions are sampled, so the replay buffer stores nothing for them.
 */
import {
  add,
  and,
  cast,
  concat,
  constant,
  type Dim,
  dimValue,
  floor,
  greaterEqual,
  less,
  lessEqual,
  maxAll,
  maximum,
  minimum,
  mul,
  reshape,
  scan,
  select,
  slice,
  sub,
  sumAll,
  sym,
  type Tensor,
  zeros,
} from "../../kernels/index.ts";
import { SYMBOLS, uniforms } from "../contract/inputs.ts";
import { type AgentSpaces, type GoalParts, requireGoals } from "../spaces.ts";
import { type Drawn, episodeEnds, preceding, shifted } from "./replay.ts";
import type { GoalSpaces, HindsightKind } from "./replayFields.ts";

const lanes = (): Tensor => dimValue(sym(SYMBOLS.num_envs), "i32");

/** How many rows of a drawn row's episode the member sees on one side of it, i32 [batch]. */
function episodeRows(drawn: Drawn, side: "before" | "after"): Tensor {
  const seen = side === "after" ? drawn.following : preceding(drawn);
  const rowAt = (away: Tensor): Tensor => shifted(drawn, side === "after" ? away : mul(away, -1));
  const runsOn = (row: Tensor): Tensor => lessEqual(episodeEnds(row), 0);
  const isNext = (away: Tensor): Tensor => lessEqual(away, seen);
  const first = cast(side === "after" ? runsOn(drawn.index) : greaterEqual(seen, 0), "i32");
  const most = cast(maxAll(cast(seen, "f32")), "i32");
  const { carry } = scan(
    { count: most, carry: [zeros(drawn.index.shape, "i32"), first] },
    ([rows, open], _x, t) => {
      const away = mul(add(t, 1), lanes());
      const isSeen = and(greaterEqual(open as Tensor, 1), isNext(away));
      // Rows out of sight may not exist.
      const row = select(isSeen, rowAt(away), drawn.index);
      // A row after the drawn one belongs to its episode, and may end it; one before does unless it ends its own.
      const counts = side === "after" ? isSeen : and(isSeen, runsOn(row));
      const goesOn = cast(side === "after" ? and(isSeen, runsOn(row)) : counts, "i32");
      return {
        carry: [add(rows as Tensor, cast(counts, "i32")), goesOn],
        until: lessEqual(sumAll(cast(goesOn, "f32")), 0),
      };
    },
  );
  return carry[0] as Tensor;
}

/** An integer from 0 to `most`, from a number in [0, 1). */
const upTo = (uniform: Tensor, most: Tensor): Tensor =>
  minimum(cast(floor(mul(uniform, cast(add(most, 1), "f32"))), "i32"), most);

/**
 * Rows of the replay buffer whose achieved goals replace the desired ones, i32 [batch]; -1 where the desired goal stays.
 * Of `n_sampled_goal` + 1 transitions, `n_sampled_goal` get another goal on average. Of an episode that still runs, those
 * rows count that the member sees.
 * @param step Number of the draw.
 */
export function drawGoals(step: Tensor, drawn: Drawn, kind: HindsightKind): Tensor {
  const [chance, place] = uniforms("goal", step, drawn.index.shape[0] as Dim, 2) as [Tensor, Tensor];
  const after = episodeRows(drawn, "after");
  const away = (): Tensor => {
    switch (kind.goal_selection_strategy) {
      case "final":
        return after;
      case "future":
        return upTo(place, after);
      case "episode": {
        const before = episodeRows(drawn, "before");
        return sub(upTo(place, add(before, after)), before);
      }
    }
  };
  const row = shifted(drawn, mul(away(), lanes()));
  const share = kind.n_sampled_goal / (kind.n_sampled_goal + 1);
  return select(less(chance, share), row, constant(-1, "i32"));
}

/** What the drawn transitions become by their new goals. */
export interface Hindsight {
  /** Observations [batch, ...] with the goal in place of the desired one. */
  readonly seen: (obs: Tensor) => Tensor;
  /** Rewards of steps to `next_obs`, from those that are stored, [batch]. */
  readonly reward: (next_obs: Tensor, stored: Tensor) => Tensor;
  /** 1 where such a step ends the task, likewise. */
  readonly done: (next_obs: Tensor, stored: Tensor) => Tensor;
}

const numbersOf = (obs: Tensor, { start, size }: GoalParts["achieved_goal"]): Tensor =>
  slice(obs, start, size);

/** Goals of stored observations [n, ...], f32 [n, numbers of a goal]. */
export function goalsIn(layout: AgentSpaces, obs: Tensor): Readonly<Record<"achieved" | "desired", Tensor>> {
  const parts = requireGoals(layout.observation_space, "replay_buffer.her");
  return { achieved: numbersOf(obs, parts.achieved_goal), desired: numbersOf(obs, parts.desired_goal) };
}

/**
 * @param goal As {@link drawGoals}.
 * @param take Observations after the steps of given rows.
 * @throws RangeError for observations without goals.
 */
export function hindsight(layout: GoalSpaces, goal: Tensor, take: (rows: Tensor) => Tensor): Hindsight {
  const { desired_goal: part } = requireGoals(layout.observation_space, "replay_buffer.her");
  const face = layout.goal;
  if (!face) throw new TypeError("replay_buffer.her: the environment has no compute_reward");
  const isNew = greaterEqual(goal, 0);
  const achieved = goalsIn(layout, take(maximum(goal, 0))).achieved;
  const isNewRow = reshape(isNew, [goal.shape[0] as Dim, 1]);
  const seen = (obs: Tensor): Tensor => {
    const width = obs.shape.at(-1) as number;
    const end = part.start + part.size;
    return concat([
      ...(part.start > 0 ? [slice(obs, 0, part.start)] : []),
      select(isNewRow, achieved, numbersOf(obs, part)),
      ...(end < width ? [slice(obs, end, width - end)] : []),
    ]);
  };
  return {
    seen,
    reward: (next_obs, stored) =>
      select(isNew, face.compute_reward(goalsIn(layout, next_obs).achieved, achieved), stored),
    done: (next_obs, stored) => {
      const ended = face.compute_terminated?.(goalsIn(layout, next_obs).achieved, achieved);
      return ended ? select(isNew, cast(ended, "f32"), stored) : stored;
    },
  };
}
