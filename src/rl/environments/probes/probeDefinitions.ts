/** The probes as tables: what can be seen, what is earned there, what follows. */

/** What the action must be. */
export interface ProbeChoice {
  /** The one right action of a discrete space, +1 for it and -1 for any other; null when all are wrong. */
  readonly index: number | null;
  /** The best action of a Box; reward is minus the squared distance from it. */
  readonly target: readonly number[];
}

/** One situation an agent can be in. */
export interface ProbeSituation {
  /** What it looks like: the index that a vector shows, the brightness of all pixels of an image. */
  readonly seen: { readonly index: 0 | 1; readonly brightness: 0 | 1 };
  /** Reward whatever the action is; or what the reward wants. */
  readonly reward: number | ProbeChoice;
  /** The situation after the step; null when the episode ends. */
  readonly next: number | null;
}

export interface ProbeDefinition {
  readonly name: ProbeName;
  /** Actions of the discrete form, and numbers of an action of the Box form. */
  readonly actions: { readonly discrete: number; readonly continuous: number };
  /** The first so many situations start episodes, each equally likely. */
  readonly starts: number;
  /** Either all have a reward of their own or all want something of the action. */
  readonly situations: readonly ProbeSituation[];
}

export type ProbeName =
  | "ConstantReward"
  | "ObsDependentReward"
  | "DiscountedReward"
  | "FixedObsPolicy"
  | "Policy";

const DARK = { index: 0, brightness: 0 } as const;
const BRIGHT = { index: 1, brightness: 1 } as const;
const ONE_ACTION = { discrete: 1, continuous: 1 } as const;

/** Any action earns 1: a value that stays wrong means that the value's loss or its bootstrapping is. */
const ConstantReward: ProbeDefinition = {
  name: "ConstantReward",
  actions: ONE_ACTION,
  starts: 1,
  situations: [{ seen: DARK, reward: 1, next: null }],
};

/** Reward depends on what is seen alone: tells whether observations reach the value. */
const ObsDependentReward: ProbeDefinition = {
  name: "ObsDependentReward",
  actions: ONE_ACTION,
  starts: 2,
  situations: [
    { seen: DARK, reward: -1, next: null },
    { seen: BRIGHT, reward: 1, next: null },
  ],
};

/** The reward comes a step later: tells whether values are discounted, bootstrapped, and cut at an end. */
const DiscountedReward: ProbeDefinition = {
  name: "DiscountedReward",
  actions: ONE_ACTION,
  starts: 1,
  situations: [
    { seen: DARK, reward: 0, next: 1 },
    { seen: BRIGHT, reward: 1, next: null },
  ],
};

/** One action is right, whatever is seen: tells whether the policy follows the reward. */
const FixedObsPolicy: ProbeDefinition = {
  name: "FixedObsPolicy",
  actions: { discrete: 2, continuous: 1 },
  starts: 1,
  situations: [{ seen: DARK, reward: { index: 1, target: [1] }, next: null }],
};

/** The right action is the one that is seen: policy and value together. */
const Policy: ProbeDefinition = {
  name: "Policy",
  actions: { discrete: 2, continuous: 2 },
  starts: 2,
  situations: [
    { seen: DARK, reward: { index: 0, target: [1, 0] }, next: null },
    { seen: BRIGHT, reward: { index: 1, target: [0, 1] }, next: null },
  ],
};

/**
 * `Policy` for observations of two parts: an action is right only when both parts say so. Neither part alone tells
 * what an action is worth.
 */
const JointPolicy: ProbeDefinition = {
  name: "Policy",
  actions: Policy.actions,
  starts: 4,
  situations: [
    { seen: { index: 0, brightness: 0 }, reward: { index: 0, target: [1, 0] }, next: null },
    { seen: { index: 0, brightness: 1 }, reward: { index: null, target: [0, 0] }, next: null },
    { seen: { index: 1, brightness: 0 }, reward: { index: null, target: [0, 0] }, next: null },
    { seen: { index: 1, brightness: 1 }, reward: { index: 1, target: [0, 1] }, next: null },
  ],
};

const alike = [ConstantReward, ObsDependentReward, DiscountedReward, FixedObsPolicy];

/** The probes for observations of one part, and for those of two. */
export const probeDefinitions = {
  single: [...alike, Policy],
  mixed: [...alike, JointPolicy],
} as const;
