/** An environment of one's own at play, one step after another, by hand or at random. */
import { Random } from "../../../../evolution/random.ts";
import { infoMasks } from "../../../../rl/environments/face/actionMasks.ts";
import { endedLanes, leftAfter } from "../../../../rl/environments/face/endedLanes.ts";
import type { Info } from "../../../../rl/environments/face/HostEnvironment.ts";
import { sampleLegal } from "../../../../rl/environments/face/sampleLegal.ts";
import { elementSize, type Space } from "../../../../rl/spaces/index.ts";
import type { PictureSize } from "../../../../sandbox/messages.ts";
import type { SandboxedEnvironment } from "../../../../sandbox/SandboxedEnvironment.ts";

/** How an episode stands. */
export interface Moment {
  readonly episode: number;
  readonly steps: number;
  /** Of the last step, of all agents together; null before the first. */
  readonly reward: number | null;
  /** Rewards of the episode so far. */
  readonly total: number;
  /** Return of the episode before; null in the first. */
  readonly last: number | null;
  /** What the agent sees. */
  readonly observation: readonly number[];
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

export class Trial {
  readonly #env: SandboxedEnvironment;
  #random = new Random({ seed: 0 });
  #moment: Moment | null = null;
  #info: readonly Info[] = [{}];
  /** 1 for agents whose own task has ended; null of one. */
  #left: Uint8Array | null = null;

  constructor(env: SandboxedEnvironment) {
    this.#env = env;
  }

  get action_space(): Space {
    return this.#env.single_action_space;
  }

  get renders(): boolean {
    return this.#env.renders;
  }

  /** Begins with this seed. @throws Error naming what the environment did wrong, as all calls. */
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

  /** A random legal action as {@link step} takes it. @throws RangeError for a mask that does not fit the actions. */
  sample(): readonly number[] {
    return sampleLegal(this.action_space, this.#random, infoMasks(this.action_space, this.#info, this.#left));
  }

  /** @param action Numbers of all agents' actions, side by side. */
  async step(action: readonly number[]): Promise<Moment> {
    const before = this.#moment;
    if (before === null) throw new Error("step: found no episode, allowed after begin");
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

  /** The present state as the environment draws it. @param size Pixels. */
  async picture(size: PictureSize): Promise<ImageBitmap> {
    // The sandbox's client has seen that it is one.
    return (await this.#env.render(0, size)) as ImageBitmap;
  }

  close(): void {
    this.#env.close();
  }

  #at(moment: Moment): Moment {
    this.#moment = moment;
    return moment;
  }
}

/** An action to begin with: zeros, or the lowest where zero is none. */
export function firstAction(space: Space): readonly number[] {
  if (space.kind === "Discrete") return [space.start];
  return Array.from({ length: elementSize(space) }, () => 0);
}
