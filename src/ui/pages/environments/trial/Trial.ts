/** Plays an environment step by step, with given or random actions. */
import { Random } from "../../../../evolution/random.ts";
import { endedLanes, type Info, infoMasks, leftAfter, sampleLegal } from "../../../../rl/faces.ts";
import { elementSize, type Space } from "../../../../rl/spaces.ts";
import type { SandboxedEnvironment } from "../../../../sandbox/environments.ts";
import type { PictureSize } from "../../../../sandbox/sandboxes.ts";

/** What a trial needs of an environment with one lane. */
export type Playable = Pick<
  SandboxedEnvironment,
  "single_action_space" | "renders" | "reset" | "step" | "render"
>;

/** The state of an episode. */
export interface Moment {
  readonly episode: number;
  readonly steps: number;
  /** Reward of the last step, summed over all agents; null before the first step. */
  readonly reward: number | null;
  /** Return of the episode so far. */
  readonly total: number;
  /** Return of the previous episode; null in the first. */
  readonly last: number | null;
  /** The current observation. */
  readonly observation: readonly number[];
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

export class Trial {
  readonly #env: Playable;
  #random = new Random({ seed: 0 });
  #moment: Moment | null = null;
  #info: readonly Info[] = [{}];
  /** 1 for agents that have terminated; null for a single agent. */
  #left: Uint8Array | null = null;

  constructor(env: Playable) {
    this.#env = env;
  }

  get action_space(): Space {
    return this.#env.single_action_space;
  }

  get renders(): boolean {
    return this.#env.renders;
  }

  /** Starts an episode with this seed. @throws Error naming the environment's fault, as all calls do. */
  async begin(seed: number): Promise<Moment> {
    this.#random = new Random({ seed, stream: "trial" });
    const { observation, info } = await this.#env.reset({ seed });
    this.#info = info;
    this.#left = null;
    return this.#at({
      episode: 1,
      steps: 0,
      reward: null,
      total: 0,
      last: null,
      observation: Array.from(observation),
    });
  }

  /** A random legal action for {@link step}. @throws RangeError for a mask that does not fit the actions. */
  sample(): readonly number[] {
    return sampleLegal(this.action_space, this.#random, infoMasks(this.action_space, this.#info, this.#left));
  }

  /** @param action The actions of all agents, concatenated. */
  async step(action: readonly number[]): Promise<Moment> {
    const before = this.#moment;
    if (before === null) throw new Error("step: found no episode; call begin first");
    const next = await this.#env.step(action);
    const { observation, reward, info } = next;
    const lanes = endedLanes(next);
    const ended = lanes[0] === 1;
    this.#info = info;
    this.#left = leftAfter(next, lanes);
    const gained = sum(reward);
    const total = before.total + gained;
    return this.#at({
      episode: before.episode + (ended ? 1 : 0),
      steps: ended ? 0 : before.steps + 1,
      reward: gained,
      total: ended ? 0 : total,
      last: ended ? total : before.last,
      observation: Array.from(observation),
    });
  }

  /** The environment's drawing of the current state. @param size Pixels. */
  async picture(size: PictureSize): Promise<ImageBitmap> {
    // The sandbox's client has checked the type.
    return (await this.#env.render(0, size)) as ImageBitmap;
  }

  #at(moment: Moment): Moment {
    this.#moment = moment;
    return moment;
  }
}

/** The initial action: the first choice of a discrete space, else zeros. */
export function firstAction(space: Space): readonly number[] {
  if (space.kind === "Discrete") return [space.start];
  return Array.from({ length: elementSize(space) }, () => 0);
}
