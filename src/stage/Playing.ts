import type { DrawingSize, DrawingTheme } from "../rl/environments/index.ts";
import type { Actor } from "./Actor.ts";

/** Draws a picture over the whole size, background included. */
export type Paint = (
  context: OffscreenCanvasRenderingContext2D,
  size: DrawingSize,
  theme: DrawingTheme,
) => void;

/** A policy at play, episode after episode: stepped in this thread, or elsewhere, where results come later. */
export interface Playing {
  /** Of the episode's start. */
  readonly seed: number;
  /** Steps of the episode so far. */
  readonly steps: number;
  /** Rewards of the episode so far, of all agents together. */
  readonly total: number;
  readonly ended: boolean;
  /** The last action as the environment took it; null before the first. */
  readonly action: readonly number[] | null;
  /** What was asked for last is not done yet. */
  readonly busy: boolean;
  /** The present picture; null where there is none. */
  readonly picture: Paint | null;
  /** What the agent expected to come when it chose the last action; null before the first, or where it cannot say. */
  value(): number | null;
  /** One step of the episode; nothing once it has ended. */
  step(): void;
  /** Begins another episode, by the policy that was given last. */
  restart(seed: number): void;
  /** Another policy, from the next episode on: the return of each is that of one policy. */
  follow(actor: Actor): void;
  close(): void;
}
