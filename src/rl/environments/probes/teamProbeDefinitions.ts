/** The probes of two agents as tables: what each sees, what each earns, what follows. */

/** The two agents, `agent_0` and `other_agent_0`, by their place in joint rows. */
export type TeamPlace = 0 | 1;
export const TEAM_PROBE_IDS = ["agent_0", "other_agent_0"] as const;

/** What an action must be: 0 or 1, the index that its agent sees or the other index, or what the other agent does. */
export type TeamTarget = 0 | 1 | "seen" | "unseen" | "other's action";

/** A part of an agent's reward: `weight` where an action is right and minus that where it is wrong; of Box actions minus
 * `weight` times the squared distance from what is right. */
export interface TeamWish {
  /** Whose action is judged. */
  readonly of: TeamPlace;
  readonly target: TeamTarget;
  readonly weight: number;
}

/** Something of each agent. */
export type Each<T> = readonly [T, T];

/** One situation that the agents can be in. */
export interface TeamSituation {
  /** The index that each sees. */
  readonly seen: Each<0 | 1>;
  /** What each earns beside its wishes. */
  readonly reward: Each<number>;
  /** The situation after the step; null when the episode ends. */
  readonly next: number | null;
}

export interface TeamProbeDefinition {
  readonly name: TeamProbeName;
  /** The first so many situations start episodes, each equally likely. */
  readonly starts: number;
  readonly situations: readonly TeamSituation[];
  /** What each agent's reward wants. */
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
/** Each agent sees an index of its own. */
const apart = [ends([0, 0]), ends([0, 1]), ends([1, 0]), ends([1, 1])];

/** In the order in which to take them: the first that fails names the part. */
export const teamProbeDefinitions: readonly TeamProbeDefinition[] = [
  /** Any actions earn 1 and 0: a value that stays wrong means that rewards of agents are mixed up, or the value's loss. */
  { name: "TeamConstantReward", starts: 1, situations: [ends([0, 0], [1, 0])], wishes: NOTHING },
  /** Both see the same index, which decides who of them earns 1. */
  {
    name: "TeamObsDependentReward",
    starts: 2,
    situations: [ends([0, 0], [1, 0]), ends([1, 1], [0, 1])],
    wishes: NOTHING,
  },
  /** The rewards, 1 and a half, come a step later. */
  {
    name: "TeamDiscountedReward",
    starts: 1,
    situations: [{ seen: [0, 0], reward: [0, 0], next: 1 }, ends([1, 1], [1, 0.5])],
    wishes: NOTHING,
  },
  /** Each has one right action, whatever is seen. */
  {
    name: "TeamFixedObsPolicy",
    starts: 1,
    situations: [ends([0, 0])],
    wishes: [[{ of: 0, target: 0, weight: 1 }], [{ of: 1, target: 1, weight: 1 }]],
  },
  /** The first is to do what it sees itself, the second the opposite of that. */
  {
    name: "TeamPolicy",
    starts: 4,
    situations: apart,
    wishes: [[{ of: 0, target: "seen", weight: 1 }], [{ of: 1, target: "unseen", weight: 1 }]],
  },
  /** The first is to do what the second does, who has one right action: tells whether critics read others' actions. */
  {
    name: "TeamFollow",
    starts: 1,
    situations: [ends([0, 0])],
    wishes: [[{ of: 0, target: "other's action", weight: 1 }], [{ of: 1, target: 1, weight: 1 }]],
  },
  /** As TeamPolicy, and each earns half of it by what the other does: critics need what others see and do. */
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
