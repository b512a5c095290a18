/**
 * Environments that are so small that the correct values and actions are known. Each isolates one possible
 * error. After the probe environments of J. Schulman and A. Jones.
 */

import { Random } from "../../../src/evolution/random.ts";
import type {
  Action,
  HostEnvironment,
  Info,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../../../src/rl/faces.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete, type Space } from "../../../src/rl/spaces.ts";

interface Probe {
  /** Observations 0 .. n - 1. */
  readonly observations: number;
  readonly action_space: Space;
  readonly reward: (observation: number, action: readonly number[]) => number;
  /** The observation after this one; null ends the episode. */
  readonly next?: (observation: number) => number | null;
  /** First observation, 0 or random. */
  readonly randomStart?: boolean;
  readonly mask?: (observation: number) => readonly number[];
}

class ProbeEnvironment implements HostEnvironment<number> {
  readonly observation_space: Discrete;
  readonly action_space: Space;
  readonly #probe: Probe;
  #random = new Random({ seed: 0, stream: "probe" });
  #observation = 0;

  constructor(probe: Probe) {
    this.#probe = probe;
    this.observation_space = new Discrete(probe.observations);
    this.action_space = probe.action_space;
  }

  reset({ seed }: ResetOptions = {}): ResetResult<number> {
    if (seed !== undefined) this.#random = new Random({ seed, stream: "probe" });
    this.#observation = this.#probe.randomStart ? this.#random.integer(this.#probe.observations) : 0;
    return { observation: this.#observation, info: this.#info() };
  }

  step(action: Action): StepResult<number> {
    const values = typeof action === "number" ? [action] : Array.from(action);
    if (this.#probe.mask && !isLegal(this.action_space, values, this.#probe.mask(this.#observation)))
      throw new Error(`action ${values} is not legal at observation ${this.#observation}`);
    const reward = this.#probe.reward(this.#observation, values);
    const next = this.#probe.next?.(this.#observation) ?? null;
    if (next !== null) this.#observation = next;
    return {
      observation: this.#observation,
      reward,
      terminated: next === null,
      truncated: false,
      info: this.#info(),
    };
  }

  #info(): Info {
    const mask = this.#probe.mask?.(this.#observation);
    return mask ? { action_mask: mask } : {};
  }
}

function isLegal(space: Space, action: readonly number[], mask: readonly number[]): boolean {
  if (space.kind === "MultiBinary") return action.every((bit, i) => bit === 0 || mask[i] === 1);
  let start = 0;
  return (space.kind === "MultiDiscrete" ? space.nvec : [mask.length]).every((choices, i) => {
    const legal = mask[start + (action[i] as number)] === 1;
    start += choices;
    return legal;
  });
}

const one = new Discrete(1);
const two = new Discrete(2);
const unit = new Box({ low: 0, high: 1 });

const squared = (target: readonly number[], action: readonly number[]) =>
  -target.reduce((sum, t, i) => sum + (t - (action[i] as number)) ** 2, 0);

const probes = {
  /** Value 1. Tests the value loss. */
  constant: { observations: 1, action_space: one, reward: () => 1 },
  /** Values -1 and 1. Tests the network's input. */
  observationDependent: {
    observations: 2,
    action_space: one,
    reward: (o: number) => (o === 0 ? -1 : 1),
    randomStart: true,
  },
  /** Values 0.99 and 1. Tests discounting, bootstrapping and the end of episodes. */
  discounted: {
    observations: 2,
    action_space: one,
    reward: (o: number) => o,
    next: (o: number) => (o === 0 ? 1 : null),
  },
  /** Values -1 and 1 of two actions. Tests the choice of actions. */
  fixedPolicy: {
    observations: 1,
    action_space: two,
    reward: (_o: number, [a]: readonly number[]) => (a === 0 ? -1 : 1),
  },
  /** Reward 1 if the action equals the observation, else -1. Tests action choice and input together. */
  policy: {
    observations: 2,
    action_space: two,
    reward: (o: number, [a]: readonly number[]) => (a === o ? 1 : -1),
    randomStart: true,
  },
  /** Best at action 1. */
  fixedPolicyContinuous: {
    observations: 1,
    action_space: unit,
    reward: (_o: number, a: readonly number[]) => squared([1], a),
  },
  /** Best at [1, 0] for observation 0 and [0, 1] for observation 1. */
  policyContinuous: {
    observations: 2,
    action_space: new Box({ low: 0, high: 1, shape: [2] }),
    reward: (o: number, a: readonly number[]) => squared(o === 0 ? [1, 0] : [0, 1], a),
    randomStart: true,
  },
  /** Like `policy`, with actions numbered 5 and 6. */
  shiftedPolicy: {
    observations: 2,
    action_space: new Discrete(2, { start: 5 }),
    reward: (o: number, [a]: readonly number[]) => (a === o + 5 ? 1 : -1),
    randomStart: true,
  },
  /** The action with the highest reward is never legal; at observation 1, neither is the second best. */
  masked: {
    observations: 2,
    action_space: new Discrete(4),
    reward: (_o: number, [a]: readonly number[]) => a as number,
    mask: (o: number) => (o === 0 ? [1, 1, 1, 0] : [1, 1, 0, 0]),
    randomStart: true,
  },
  /** The best legal choice of each component depends on the observation. */
  maskedSeveral: {
    observations: 2,
    action_space: new MultiDiscrete([3, 2]),
    reward: (o: number, [a = 0, b = 0]: readonly number[]) => a + (b === o ? 1 : -1),
    mask: (o: number) => (o === 0 ? [1, 1, 0, 1, 1] : [1, 1, 1, 1, 1]),
    randomStart: true,
  },
  /** One bit is rewarded; one is rewarded but must be 0 at observation 0; one is penalised. */
  maskedBits: {
    observations: 2,
    action_space: new MultiBinary(3),
    reward: (_o: number, [a = 0, b = 0, c = 0]: readonly number[]) => a + b - c,
    mask: (o: number) => [1, o, 1],
    randomStart: true,
  },
} satisfies Record<string, Probe>;

export type ProbeName = keyof typeof probes;

export const probe = (name: ProbeName): HostEnvironment<number> => new ProbeEnvironment(probes[name]);
