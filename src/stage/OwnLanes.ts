/** Sandboxes for those who play in environments that a person wrote: one for each of them. */
import type { AsyncVectorEnvironment } from "../rl/environments/face/AsyncVectorEnvironment.ts";
import { resetLanes } from "../rl/runtime/wasm/hostLanes.ts";
import { isSandboxEnd } from "../sandbox/isSandboxEnd.ts";
import type { Picture, PictureSize } from "../sandbox/messages.ts";
import type { UserEnvironment } from "../sandbox/userEnvironments.ts";

/** One lane in a sandbox of its own. */
export interface OwnLane extends AsyncVectorEnvironment {
  /** Whether it can be drawn. */
  readonly renders: boolean;
  render(lane: number, size: PictureSize): Promise<Picture>;
}

/** Sandboxes at a time: each is a thread. */
export const MOST_LANES = 32;

/** Of the first picture, which nobody sees. */
const FIRST: PictureSize = { width: 64, height: 48 };

export class OwnLanes {
  readonly #open: (env: UserEnvironment) => Promise<OwnLane>;
  /** Those that have been drawn once. */
  readonly #tried = new Set<UserEnvironment>();
  /** Opened to try an environment out: for the first who plays there. */
  readonly #spare = new Map<UserEnvironment, OwnLane>();
  /**
   * Why environments are opened no more: a sandbox of theirs ended. A module that loops without end would take a
   * processor again with each cast.
   */
  readonly #lost = new Map<UserEnvironment, Error>();
  #count = 0;

  /** @param open Opens one lane of an environment, in a sandbox of its own. */
  constructor(open: (env: UserEnvironment) => Promise<OwnLane>) {
    this.#open = open;
  }

  /**
   * Sees that an environment can be played and drawn, once.
   * @throws Error saying why not.
   */
  async tryOut(env: UserEnvironment): Promise<void> {
    this.#requireAlive(env);
    if (this.#tried.has(env)) return;
    const lane = await this.take(env);
    try {
      if (!lane.renders)
        throw new Error(`There is no drawing for ${env.id}: it has no method render(context, size).`);
      await resetLanes(lane, {});
      (await lane.render(0, FIRST)).close();
    } catch (error) {
      throw this.lose(env, lane, error);
    }
    this.#tried.add(env);
    this.#spare.set(env, lane);
  }

  /** A lane of an environment, to be given to `end`. @throws Error saying why there is none. */
  async take(env: UserEnvironment): Promise<OwnLane> {
    this.#requireAlive(env);
    const spare = this.#spare.get(env);
    this.#spare.delete(env);
    if (spare) return spare;
    if (this.#count >= MOST_LANES)
      throw new Error(`${env.id}: at most ${MOST_LANES} play in environments of one's own at a time.`);
    this.#count += 1;
    try {
      return await this.#open(env);
    } catch (error) {
      this.#count -= 1;
      throw this.#noted(env, error);
    }
  }

  end(lane: OwnLane): void {
    this.#count -= 1;
    lane.close();
  }

  /** Ends a lane that failed. Returns what to say of it. */
  lose(env: UserEnvironment, lane: OwnLane, error: unknown): Error {
    this.end(lane);
    return this.#noted(env, error);
  }

  #noted(env: UserEnvironment, error: unknown): Error {
    const told = error instanceof Error ? error : new Error(String(error));
    if (isSandboxEnd(told)) this.#lost.set(env, told);
    return told;
  }

  #requireAlive(env: UserEnvironment): void {
    const lost = this.#lost.get(env);
    if (lost) throw lost;
  }
}
