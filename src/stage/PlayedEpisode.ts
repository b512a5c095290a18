import type { DrawingSize, DrawingTheme } from "../rl/environments.ts";
import type { GreedyPolicy } from "./GreedyPolicy.ts";
import type { Travelled } from "./stageProtocol.ts";

/** Draws a picture that fills the whole size, background included. */
export type Paint = (
  context: OffscreenCanvasRenderingContext2D,
  size: DrawingSize,
  theme: DrawingTheme,
) => void;

/**
 * A policy that plays episode after episode, either on this thread or in a sandbox
 * whose results arrive later.
 */
export interface PlayedEpisode {
  /** Seed of the current episode. */
  readonly seed: number;
  /** Steps of the episode so far. */
  readonly steps: number;
  /** Sum of the episode's rewards so far, over all agents. */
  readonly total: number;
  readonly ended: boolean;
  /** The last action in the environment's format; null before the first. */
  readonly action: readonly number[] | null;
  /** Whether the last request is still in progress. */
  readonly busy: boolean;
  /** How far its body went; null for environments without one, and for those in a sandbox. */
  readonly travelled: Travelled | null;
  /** The current picture; null if there is none. */
  readonly picture: Paint | null;
  /** Value estimate when the last action was chosen; null before the first action or without an estimate. */
  value(): number | null;
  /** Each layer's outputs for the last action; none if the policy is not watched. */
  layerOutputs(): Iterable<readonly [layer: string, values: ArrayLike<number>]>;
  /** Takes one step of the episode; does nothing after its end. */
  step(): void;
  /** Starts another episode, with the policy that was set last. */
  restart(seed: number): void;
  /** Sets another policy from the next episode on, so that each return comes from one policy. */
  follow(actor: GreedyPolicy): void;
  close(): void;
}

/** What plays keep of their episode, and the policy that plays it. */
export abstract class Episode {
  steps = 0;
  total = 0;
  ended = false;
  action: readonly number[] | null = null;
  seed: number;
  protected actor: GreedyPolicy;
  #next: GreedyPolicy | null = null;

  constructor(actor: GreedyPolicy, seed: number) {
    this.actor = actor;
    this.seed = seed;
  }

  layerOutputs(): Iterable<readonly [layer: string, values: ArrayLike<number>]> {
    return this.action === null ? [] : this.actor.layerOutputs();
  }

  follow(actor: GreedyPolicy): void {
    this.#next?.release();
    this.#next = actor;
  }

  /** Starts another episode, with the policy that was set last. */
  protected begin(seed: number): void {
    if (this.#next) {
      this.actor.release();
      this.actor = this.#next;
      this.#next = null;
    }
    this.seed = seed;
    this.steps = 0;
    this.total = 0;
    this.ended = false;
    this.action = null;
  }

  protected releaseActors(): void {
    this.#next?.release();
    this.actor.release();
  }
}
