/** Known solutions of probes with two agents: values and best actions, for tests of algorithms. */
import type { ProbeAction } from "./probeEnvironment.ts";
import { PROBE_DISCOUNT } from "./probeSolution.ts";
import type {
  Each,
  TeamPlace,
  TeamProbeDefinition,
  TeamSituation,
  TeamWish,
} from "./teamProbeDefinitions.ts";

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
