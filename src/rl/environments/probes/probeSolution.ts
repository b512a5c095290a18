/**
 * Known solutions of probes, of one agent and of two: values and best actions, for tests of algorithms.
 */
import type { ProbeDefinition, ProbeSituation } from "./probeDefinitions.ts";
import { type ProbeAction, type ProbeObservation, seenNumbers } from "./probeEnvironment.ts";
import type {
  Each,
  TeamPlace,
  TeamProbeDefinition,
  TeamSituation,
  TeamWish,
} from "./teamProbeDefinitions.ts";

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

/** Known facts about one joint observation. */
export interface TeamProbeFacts {
  /** The index that each agent observes. */
  readonly observation: Each<number>;
  /** Each agent's best action, 0 or 1; null if both are equally good. */
  readonly action: Each<0 | 1 | null>;
  /** Values under best actions at discount `PROBE_DISCOUNT`. Policies that sample a Box have lower values. */
  readonly value: Each<number>;
  /** Each agent's value of joint actions: all actions of discrete spaces, the corners of Boxes. */
  readonly q: readonly { readonly action: Each<0 | 1>; readonly value: Each<number> }[];
}

const JOINT: readonly Each<0 | 1>[] = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];

const otherOf = (place: TeamPlace): TeamPlace => (place === 0 ? 1 : 0);

/** Facts about every joint observation of a probe, in the order of its situations. */
export function teamProbeSolution(
  { situations, wishes }: TeamProbeDefinition,
  form: ProbeAction,
): TeamProbeFacts[] {
  // In a Box, the right corner is at distance 0 and a wrong corner at distance 1.
  const [right, wrong] = form === "discrete" ? [1, -1] : [0, -1];
  const wantedOf = ({ seen }: TeamSituation, { of, target }: TeamWish, action: Each<number>): number => {
    if (target === "other's action") return action[otherOf(of)];
    if (target === "seen") return seen[of];
    return target === "unseen" ? 1 - seen[of] : target;
  };
  const rewardFor = (situation: TeamSituation, place: TeamPlace, action: Each<number>): number =>
    wishes[place].reduce((sum, wish) => {
      const apart = action[wish.of] - wantedOf(situation, wish, action);
      return sum + wish.weight * (apart === 0 ? right : wrong);
    }, situation.reward[place]);

  const bestOf = (situation: TeamSituation, place: TeamPlace): 0 | 1 | null => {
    const own = wishes[place].find(({ of }) => of === place);
    if (!own) return null;
    if (own.target === "other's action") return bestOf(situation, otherOf(place));
    return wantedOf(situation, own, [0, 0]) === 1 ? 1 : 0;
  };

  const solve = (situation: TeamSituation): TeamProbeFacts => {
    const following = situation.next === null ? undefined : situations[situation.next];
    const later = following ? solve(following).value : [0, 0];
    const valueOf = (action: Each<0 | 1>): Each<number> => [
      rewardFor(situation, 0, action) + PROBE_DISCOUNT * (later[0] ?? 0),
      rewardFor(situation, 1, action) + PROBE_DISCOUNT * (later[1] ?? 0),
    ];
    const action: Each<0 | 1 | null> = [bestOf(situation, 0), bestOf(situation, 1)];
    return {
      observation: situation.seen,
      action,
      value: valueOf([action[0] ?? 0, action[1] ?? 0]),
      q: JOINT.map((joint) => ({ action: joint, value: valueOf(joint) })),
    };
  };
  return situations.map(solve);
}
