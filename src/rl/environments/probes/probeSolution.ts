/** Known solutions of probes: values and best actions, for tests of algorithms. */
import type { ProbeDefinition, ProbeSituation } from "./probeDefinitions.ts";
import { type ProbeAction, type ProbeObservation, seenNumbers } from "./probeEnvironment.ts";

/** Discount factor of the known values. */
export const PROBE_DISCOUNT = 0.99;

/** Known facts about one observation. */
export interface ProbeFacts {
  /** The observation's numbers, in the layout of the observation space. */
  readonly observation: readonly number[];
  /** The best action, an index or a vector; null if there is no single best action. */
  readonly action: number | readonly number[] | null;
  /** Value of the best policy at discount `PROBE_DISCOUNT`. A policy that samples a Box has a lower value. */
  readonly value: number;
  /**
   * Values of actions: all actions of a discrete space; the corners of a Box, which include the best action.
   */
  readonly q: readonly { readonly action: number | readonly number[]; readonly value: number }[];
}

/** The corners of the unit cube, first axis slowest. */
const corners = (axes: number): number[][] =>
  axes === 0 ? [[]] : [0, 1].flatMap((first) => corners(axes - 1).map((rest) => [first, ...rest]));

function rewardFor({ reward }: ProbeSituation, action: number | readonly number[]): number {
  if (typeof reward === "number") return reward;
  if (typeof action === "number") return action === reward.index ? 1 : -1;
  let sum = 0;
  for (const [axis, wanted] of reward.target.entries()) {
    const apart = (action[axis] as number) - wanted;
    sum -= apart * apart;
  }
  return sum;
}

/** Facts about every observation of a probe, in the order of its situations. */
export function probeSolution(
  { actions, situations }: ProbeDefinition,
  observation: ProbeObservation,
  action: ProbeAction,
): ProbeFacts[] {
  const choices: readonly (number | readonly number[])[] =
    action === "discrete"
      ? Array.from({ length: actions.discrete }, (_, i) => i)
      : corners(actions.continuous);
  const solve = (situation: ProbeSituation): ProbeFacts => {
    const following = situation.next === null ? undefined : situations[situation.next];
    const later = following ? PROBE_DISCOUNT * solve(following).value : 0;
    const q = choices.map((chosen) => ({ action: chosen, value: rewardFor(situation, chosen) + later }));
    const value = Math.max(...q.map((entry) => entry.value));
    const best = q.filter((entry) => entry.value === value);
    return {
      observation: seenNumbers(situation.seen, observation),
      action: best.length === 1 && choices.length > 1 ? (best[0]?.action ?? null) : null,
      value,
      q,
    };
  };
  return situations.map(solve);
}
