/** A policy that plays in a sandboxed environment: it acts here, and steps and pictures arrive later. */

import { environmentSeed, PURPOSE, resetLanes, stepLanes } from "../agents/members.ts";
import { endedLanes, infoMasks, leftAfter } from "../rl/faces.ts";
import type { UserEnvironment } from "../sandbox/environments.ts";
import type { Picture, PictureSize } from "../sandbox/sandboxes.ts";
import type { GreedyPolicy } from "./GreedyPolicy.ts";
import type { OwnLane, OwnLanes } from "./OwnLanes.ts";
import type { Situation } from "./PlayedEnvironment.ts";
import { Episode, type Paint, type PlayedEpisode } from "./PlayedEpisode.ts";

/** What a sandboxed play needs from its stage. */
export interface Surroundings {
  readonly lanes: OwnLanes;
  /** Current size of its pictures. */
  readonly size: () => PictureSize;
  readonly now: () => number;
  readonly later: (milliseconds: number, act: () => void) => void;
  /** Called when all requests are done or there is a new picture. */
  readonly changed: (play: PlayedEpisode) => void;
  /** Called when the play cannot continue until it is restarted. */
  readonly failed: (play: PlayedEpisode, error: Error) => void;
  /** Called with the milliseconds that an answer of the sandbox took. */
  readonly spent: (milliseconds: number) => void;
}

/** Minimum time between pictures, ms: at most 20 per second. */
const BETWEEN = 50;

/** Drawings start in black, so their background is white in both themes. */
const PAPER = "#fff";

export class SandboxedPlay extends Episode implements PlayedEpisode {
  readonly travelled = null;
  readonly #env: UserEnvironment;
  readonly #around: Surroundings;
  #lane: OwnLane | null = null;
  #situation: Situation | null = null;
  #value: number | null = null;
  #bitmap: Picture | null = null;
  /** Whether an episode has to be started. */
  #fresh = true;
  /** Requested steps that have not been taken. */
  #wanted = 0;
  /** Whether the state is newer than the picture. */
  #stale = false;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #waits = false;
  #busy = false;
  #broken = false;
  #closed = false;

  /** Starts an episode. @param actor Released by `close`. */
  constructor(env: UserEnvironment, actor: GreedyPolicy, seed: number, around: Surroundings) {
    super(actor, seed);
    this.#env = env;
    this.#around = around;
    void this.#work();
  }

  get busy(): boolean {
    return this.#busy;
  }

  get picture(): Paint | null {
    const bitmap = this.#bitmap;
    if (bitmap === null) return null;
    return (context, { width, height }) => {
      context.fillStyle = PAPER;
      context.fillRect(0, 0, width, height);
      // The sandbox's client has checked that this is an ImageBitmap.
      context.drawImage(bitmap as ImageBitmap, 0, 0, width, height);
    };
  }

  value(): number | null {
    return this.#value;
  }

  step(): void {
    if (this.ended) return;
    this.#wanted += 1;
    void this.#work();
  }

  restart(seed: number): void {
    this.begin(seed);
    this.#value = null;
    this.#wanted = 0;
    this.#fresh = true;
    this.#broken = false;
    void this.#work();
  }

  close(): void {
    this.#closed = true;
    this.releaseActors();
    this.#bitmap?.close();
    this.#bitmap = null;
    if (this.#lane) this.#around.lanes.end(this.#lane);
    this.#lane = null;
  }

  /** Does the pending work, one item after another, including work requested meanwhile. */
  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const { now, spent } = this.#around;
    try {
      for (let act = this.#due(); act !== null; act = this.#due()) {
        const start = now();
        await act();
        spent(now() - start);
      }
    } catch (error) {
      this.#fail(error);
      return;
    } finally {
      this.#busy = false;
    }
    if (!this.#closed) this.#around.changed(this);
  }

  #due(): (() => Promise<void>) | null {
    if (this.#closed || this.#broken) return null;
    const lane = this.#lane;
    if (lane === null) return () => this.#open();
    if (this.#fresh) return () => this.#reset(lane);
    const situation = this.#situation;
    if (this.#wanted > 0 && !this.ended && situation !== null) return () => this.#step(lane, situation);
    if (!this.#stale) return null;
    const rest = this.#drawnAt + BETWEEN - this.#around.now();
    if (rest <= 0) return () => this.#draw(lane);
    this.#drawLater(rest);
    return null;
  }

  #drawLater(rest: number): void {
    if (this.#waits) return;
    this.#waits = true;
    this.#around.later(rest, () => {
      this.#waits = false;
      void this.#work();
    });
  }

  async #open(): Promise<void> {
    const { lanes } = this.#around;
    const lane = await lanes.take(this.#env);
    if (this.#closed) lanes.end(lane);
    else this.#lane = lane;
  }

  async #reset(lane: OwnLane): Promise<void> {
    this.#fresh = false;
    this.actor.forget();
    const { observation, info } = await resetLanes(lane, {
      seed: environmentSeed(this.seed, PURPOSE.record),
    });
    // Restarted in the meantime.
    if (this.#fresh) return;
    this.#situation = { observation, mask: infoMasks(this.#env.action_space, info) };
    this.#stale = true;
  }

  async #step(lane: OwnLane, situation: Situation): Promise<void> {
    this.#wanted -= 1;
    const action = this.actor.act(situation);
    const value = this.actor.value();
    const next = await stepLanes(lane, action);
    if (this.#fresh) return;
    this.action = action;
    this.#value = value;
    this.steps += 1;
    this.total += next.reward.reduce((sum, reward) => sum + reward, 0);
    const ended = endedLanes(next);
    this.ended = ended[0] === 1;
    // A lane resets itself, so after an end the episode's last picture stays.
    this.#stale = !this.ended;
    if (this.ended) return;
    const { observation, info } = next;
    const mask = infoMasks(this.#env.action_space, info, leftAfter(next, ended));
    this.#situation = { observation, mask };
  }

  async #draw(lane: OwnLane): Promise<void> {
    this.#stale = false;
    this.#drawnAt = this.#around.now();
    const bitmap = await lane.render(0, this.#around.size());
    if (this.#closed) return bitmap.close();
    this.#bitmap?.close();
    this.#bitmap = bitmap;
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#broken = true;
    const { lanes, failed } = this.#around;
    const lane = this.#lane;
    this.#lane = null;
    const told = error instanceof Error ? error : new Error(String(error));
    failed(this, lane ? lanes.lose(this.#env, lane, told) : told);
  }
}
