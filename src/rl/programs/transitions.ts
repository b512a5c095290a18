/** Transitions of the replay buffer as batches to learn from. */
import {
  add,
  and,
  constant,
  type Dim,
  dimValue,
  iota,
  lessEqual,
  mul,
  select,
  sub,
  sym,
  type Tensor,
  takeRows,
  zeros,
} from "../../kernels/index.ts";
import { hyperparameter, SYMBOLS } from "../contract/inputs.ts";
import type { Batch, Outcome } from "../contract/offPolicy.ts";
import { hindsight } from "./hindsight.ts";
import { learntRewards } from "./normalization.ts";
import { type Drawn, replayStates, ringSize, wrap } from "./replay.ts";
import { type GoalSpaces, type MemoryKind, type ReplayFieldName, replayFields } from "./replayFields.ts";
import { unpacked } from "./rowLayout.ts";

/**
 * The drawn transitions, each over `n_step` steps of its lane. Discounted rewards, scaled as the agent learns from
 * them, are summed until an episode ends or the member sees no further. The value after the last step is discounted
 * by gamma^steps. Where hindsight gives a transition another goal, its rewards and the end of its task follow it.
 */
export function takeTransitions(
  layout: GoalSpaces,
  { index, owner, following, goal, shown }: Drawn,
  { n_step }: MemoryKind,
  agent: Parameters<typeof learntRewards>[0] = {},
): Batch {
  const memory = replayStates(layout);
  const fields = replayFields(layout);
  const take = (name: ReplayFieldName, rows: Tensor) =>
    unpacked(fields[name], takeRows(memory[name].read(), rows));
  const given = goal && hindsight(layout, goal, (rows) => take("next_obs", rows));
  const outcomeAt = (name: "reward" | "done", rows: Tensor): Tensor => {
    const stored = take(name, rows);
    return given ? given[name](take("next_obs", rows), stored) : stored;
  };
  const observed = (name: "obs" | "next_obs", rows: Tensor): Tensor => {
    const stored = take(name, rows);
    return given ? given.seen(stored) : stored;
  };
  const gamma = hyperparameter("gamma");
  const rewardAt = (rows: Tensor) => learntRewards(agent, layout, outcomeAt("reward", rows));
  const first = rewardAt(index);
  const one_step: Outcome = {
    reward: first,
    next_obs: observed("next_obs", index),
    done: outcomeAt("done", index),
    discount: add(zeros(index.shape), gamma),
  };
  const row = iota(index.shape[0] as Dim, "u32");
  const batch = { obs: observed("obs", index), action: take("action", index), row };
  if (n_step === 1) return { ...batch, ...one_step };

  const size = ringSize();
  const lanes = dimValue(sym(SYMBOLS.num_envs), "i32");
  const base = mul(owner, size);
  let last = index;
  let reward = first;
  let discount = one_step.discount;
  const runsOn = (rows: Tensor): Tensor => {
    const runs = lessEqual(take("ended", rows), 0);
    // The lane itself goes on where only the other goal ends the task.
    return given ? and(runs, lessEqual(outcomeAt("done", rows), 0)) : runs;
  };
  let goesOn = runsOn(index);
  for (let k = 1; k < n_step; k++) {
    // Demonstrations follow one another; in rings, the rows of other lanes lie between those of a lane.
    const ahead = shown ? select(shown, constant(k, "i32"), mul(lanes, k)) : mul(lanes, k);
    goesOn = and(goesOn, lessEqual(ahead, following));
    // Where the lane goes on, `ahead` is less than the ring's size, so wrapping once is enough.
    const place = add(base, wrap(sub(add(index, ahead), base), size));
    last = select(goesOn, shown ? select(shown, add(index, ahead), place) : place, last);
    reward = add(reward, select(goesOn, mul(discount, rewardAt(last)), 0));
    discount = select(goesOn, mul(discount, gamma), discount);
    goesOn = and(goesOn, runsOn(last));
  }
  const over: Outcome = {
    reward,
    next_obs: observed("next_obs", last),
    done: outcomeAt("done", last),
    discount,
  };
  return { ...batch, ...over, one_step };
}
