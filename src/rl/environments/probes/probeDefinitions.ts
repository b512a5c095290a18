/** The probes as tables: observations, rewards and next situations. */

/** The action that a reward asks for. */
export interface ProbeChoice {
  /** The right action of a discrete space (reward 1; -1 for others); null if all actions are wrong. */
  readonly index: number | null;
  /** The best action of a Box; reward is minus the squared distance to it. */
  readonly target: readonly number[];
}

/** One situation that an agent can be in. */
export interface ProbeSituation {
  /** Its observation: the index in a vector, and the brightness of all pixels in an image. */
  readonly seen: { readonly index: 0 | 1; readonly brightness: 0 | 1 };
  /** A reward that does not depend on the action, or the action that the reward asks for. */
  readonly reward: number | ProbeChoice;
  /** The situation after the step; null when the episode ends. */
  readonly next: number | null;
}

export interface ProbeDefinition {
  readonly name: ProbeName;
  /** Number of actions of the discrete form, and size of an action of the Box form. */
  readonly actions: { readonly discrete: number; readonly continuous: number };
  /** Episodes start in one of the first `starts` situations, each equally likely. */
  readonly starts: number;
  /** The reward depends on the action either in all situations or in none. */
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

/** Any action earns 1. If the learnt value is wrong, so is the value loss or the bootstrapping. */
const ConstantReward: ProbeDefinition = {
  name: "ConstantReward",
  actions: ONE_ACTION,
  starts: 1,
  situations: [{ seen: DARK, reward: 1, next: null }],
};

/** The reward depends only on the observation: tests whether observations reach the value. */
const ObsDependentReward: ProbeDefinition = {
  name: "ObsDependentReward",
  actions: ONE_ACTION,
  starts: 2,
  situations: [
    { seen: DARK, reward: -1, next: null },
    { seen: BRIGHT, reward: 1, next: null },
  ],
};

/** The reward comes one step later: tests discounting, bootstrapping, and their end at termination. */
const DiscountedReward: ProbeDefinition = {
  name: "DiscountedReward",
  actions: ONE_ACTION,
  starts: 1,
  situations: [
    { seen: DARK, reward: 0, next: 1 },
    { seen: BRIGHT, reward: 1, next: null },
  ],
};

/** One action is right, whatever the observation: tests whether the policy follows the reward. */
const FixedObsPolicy: ProbeDefinition = {
  name: "FixedObsPolicy",
  actions: { discrete: 2, continuous: 1 },
  starts: 1,
  situations: [{ seen: DARK, reward: { index: 1, target: [1] }, next: null }],
};

/** The right action depends on the observation: tests policy and value together. */
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
 * `Policy` for observations of two parts: an action is right only if both parts indicate it. Neither part
 * alone determines the value of an action.
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

/** The probes for observations of one part, and for observations of two parts. */
export const probeDefinitions = {
  single: [...alike, Policy],
  mixed: [...alike, JointPolicy],
} as const;
