/** Sandboxes for players in user-written environments: one sandbox per player. */

import { resetLanes } from "../agents/members.ts";
import type { AsyncVectorEnvironment } from "../rl/faces.ts";
import type { UserEnvironment } from "../sandbox/environments.ts";
import { isSandboxEnd, type Picture, type PictureSize } from "../sandbox/sandboxes.ts";

/** One lane in its own sandbox. */
export interface OwnLane extends AsyncVectorEnvironment {
  /** Whether the environment can be drawn. */
  readonly renders: boolean;
  render(lane: number, size: PictureSize): Promise<Picture>;
}

/** Maximum number of sandboxes at a time: each one is a thread. */
export const MOST_LANES = 32;

/** Size of the first picture, which is never shown. */
const FIRST: PictureSize = { width: 64, height: 48 };

export class OwnLanes {
  readonly #open: (env: UserEnvironment) => Promise<OwnLane>;
  /** Environments that have been drawn once. */
  readonly #tried = new Set<UserEnvironment>();
  /** Lanes that `tryOut` opened, for the first player in each environment. */
  readonly #spare = new Map<UserEnvironment, OwnLane>();
  /**
   * Errors of environments that are not opened again because one of their sandboxes ended. A module with an
   * endless loop would otherwise occupy a processor again with each cast.
   */
  readonly #lost = new Map<UserEnvironment, Error>();
  #count = 0;

  /** @param open Opens one lane of an environment, in its own sandbox. */
  constructor(open: (env: UserEnvironment) => Promise<OwnLane>) {
    this.#open = open;
  }

  /**
   * Checks once that an environment can be played and drawn.
   * @throws Error with the reason if it cannot.
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

  /** A lane of an environment; pass it to `end` after use. @throws Error with the reason if there is none. */
  async take(env: UserEnvironment): Promise<OwnLane> {
    this.#requireAlive(env);
    const spare = this.#spare.get(env);
    this.#spare.delete(env);
    if (spare) return spare;
    if (this.#count >= MOST_LANES)
      throw new Error(
        `${env.id}: at most ${MOST_LANES} players can run in user-written environments at a time.`,
      );
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

  /** Ends a lane that failed. Returns the error to report. */
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
