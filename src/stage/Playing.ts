import type { DrawingSize, DrawingTheme } from "../rl/environments.ts";
import type { Actor } from "./Actor.ts";

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
export interface Playing {
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
  /** The current picture; null if there is none. */
  readonly picture: Paint | null;
  /** Value estimate when the last action was chosen; null before the first action or without an estimate. */
  value(): number | null;
  /** Takes one step of the episode; does nothing after its end. */
  step(): void;
  /** Starts another episode, with the policy that was set last. */
  restart(seed: number): void;
  /** Sets another policy from the next episode on, so that each return comes from one policy. */
  follow(actor: Actor): void;
  close(): void;
}
