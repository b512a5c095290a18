/** Drawings that callers give environments, in place of their own or for ones that have none. */
import type { DrawEnvironment } from "./drawing.ts";

/** What an environment says of its drawing. */
interface Drawn {
  readonly id: string;
  readonly draw?: DrawEnvironment;
}

const drawings = new Map<string, DrawEnvironment>();

/**
 * Makes a drawing known for an environment, in place of any before.
 *
 * @example
 * ```ts
 * registerDrawing("CartPole-v1", (context, state) => {
 *   context.beginPath();
 *   context.arc(100 + 40 * Number(state[0]), 50, 10, 0, 7);
 *   context.fill();
 * });
 * ```
 */
export function registerDrawing(id: string, draw: DrawEnvironment): void {
  drawings.set(id, draw);
}

/** What was registered for an environment; null for nothing. */
export const registeredDrawing = (id: string): DrawEnvironment | null => drawings.get(id) ?? null;

/** The drawing of an environment: what was registered for it, else its own; null when it has neither. */
export const drawingOf = (environment: Drawn): DrawEnvironment | null =>
  registeredDrawing(environment.id) ?? environment.draw?.bind(environment) ?? null;
