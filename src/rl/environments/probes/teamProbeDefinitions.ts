/** The probes with two agents as tables: observations, rewards and next situations. */

/** The two agents, `agent_0` and `other_agent_0`, by their index in joint rows. */
export type TeamPlace = 0 | 1;
export const TEAM_PROBE_IDS = ["agent_0", "other_agent_0"] as const;

/** The right action: 0 or 1, the index its agent observes, the other index, or the other agent's action. */
export type TeamTarget = 0 | 1 | "seen" | "unseen" | "other's action";

/** A term of an agent's reward: `weight` if an action is right and -`weight` if it is wrong. For Box actions
 * it is
 * -`weight` times the squared distance to the right action. */
export interface TeamWish {
  /** The agent whose action is judged. */
  readonly of: TeamPlace;
  readonly target: TeamTarget;
  readonly weight: number;
}

/** One value per agent. */
export type Each<T> = readonly [T, T];

/** One situation that the agents can be in. */
export interface TeamSituation {
  /** The index that each agent observes. */
  readonly seen: Each<0 | 1>;
  /** Each agent's reward besides its wishes. */
  readonly reward: Each<number>;
  /** The situation after the step; null when the episode ends. */
  readonly next: number | null;
}

export interface TeamProbeDefinition {
  readonly name: TeamProbeName;
  /** Episodes start in one of the first `starts` situations, each equally likely. */
  readonly starts: number;
  readonly situations: readonly TeamSituation[];
  /** The terms of each agent's reward that depend on actions. */
  readonly wishes: Each<readonly TeamWish[]>;
}

export type TeamProbeName =
  | "TeamConstantReward"
  | "TeamObsDependentReward"
  | "TeamDiscountedReward"
  | "TeamFixedObsPolicy"
  | "TeamPolicy"
  | "TeamFollow"
  | "TeamShared";

const NOTHING: Each<readonly TeamWish[]> = [[], []];
const ends = (seen: Each<0 | 1>, reward: Each<number> = [0, 0]): TeamSituation => ({
  seen,
  reward,
  next: null,
});
/** Each agent observes its own index. */
const apart = [ends([0, 0]), ends([0, 1]), ends([1, 0]), ends([1, 1])];

/** Run them in this order: the first probe that fails shows which part is wrong. */
export const teamProbeDefinitions: readonly TeamProbeDefinition[] = [
  /** Any actions earn 1 and 0. A wrong learnt value means that rewards are mixed up or the loss is wrong. */
  { name: "TeamConstantReward", starts: 1, situations: [ends([0, 0], [1, 0])], wishes: NOTHING },
  /** Both observe the same index, which decides which agent earns 1. */
  {
    name: "TeamObsDependentReward",
    starts: 2,
    situations: [ends([0, 0], [1, 0]), ends([1, 1], [0, 1])],
    wishes: NOTHING,
  },
  /** The rewards, 1 and 0.5, come one step later. */
  {
    name: "TeamDiscountedReward",
    starts: 1,
    situations: [{ seen: [0, 0], reward: [0, 0], next: 1 }, ends([1, 1], [1, 0.5])],
    wishes: NOTHING,
  },
  /** Each agent has one right action, whatever the observation. */
  {
    name: "TeamFixedObsPolicy",
    starts: 1,
    situations: [ends([0, 0])],
    wishes: [[{ of: 0, target: 0, weight: 1 }], [{ of: 1, target: 1, weight: 1 }]],
  },
  /** The first agent must choose the index that it observes, the second agent the other index. */
  {
    name: "TeamPolicy",
    starts: 4,
    situations: apart,
    wishes: [[{ of: 0, target: "seen", weight: 1 }], [{ of: 1, target: "unseen", weight: 1 }]],
  },
  /** The first agent must copy the second, which has one right action: tests if critics read all actions. */
  {
    name: "TeamFollow",
    starts: 1,
    situations: [ends([0, 0])],
    wishes: [[{ of: 0, target: "other's action", weight: 1 }], [{ of: 1, target: 1, weight: 1 }]],
  },
  /**
   * Like TeamPolicy, plus half as much for the other's action: critics need others' observations and actions.
   */
  {
    name: "TeamShared",
    starts: 4,
    situations: apart,
    wishes: [
      [
        { of: 0, target: "seen", weight: 1 },
        { of: 1, target: "unseen", weight: 0.5 },
      ],
      [
        { of: 1, target: "unseen", weight: 1 },
        { of: 0, target: "seen", weight: 0.5 },
      ],
    ],
  },
];
