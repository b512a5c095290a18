/** Drawings that callers register for environments; they replace the environments' own drawings. */
import type { DrawEnvironment } from "./drawing.ts";

/** The fields of an environment that define its drawing. */
interface Drawn {
  readonly id: string;
  readonly draw?: DrawEnvironment;
}

const drawings = new Map<string, DrawEnvironment>();

/**
 * Registers a drawing for an environment; replaces any earlier one.
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

/** The drawing that was registered for an environment; null if there is none. */
export const registeredDrawing = (id: string): DrawEnvironment | null => drawings.get(id) ?? null;

/** The drawing of an environment: the registered one, otherwise its own; null if there is neither. */
export const drawingOf = (environment: Drawn): DrawEnvironment | null =>
  registeredDrawing(environment.id) ?? environment.draw?.bind(environment) ?? null;
