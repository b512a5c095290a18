import type { DrawEnvironment } from "./drawing/drawing.ts";
import { drawingOf, registeredDrawing } from "./drawing/registeredDrawings.ts";
import type { EnvironmentOptions } from "./face/environmentOptions.ts";
import { knownEnvironment } from "./registry.ts";

/**
 * The drawing of an environment by its id, or null when it has none: one that `registerDrawing` made known, else its own.
 * @param options That the environment was made with beside its name; none unless given.
 * @throws SpecError for options that it does not have.
 */
export function drawEnvironment(id: string, options: EnvironmentOptions = {}): DrawEnvironment | null {
  const known = registeredDrawing(id);
  if (known) return known;
  const environment = knownEnvironment(id);
  if (environment === null) return null;
  const { max_episode_steps: _limit, ...own } = options;
  const isPlain = Object.keys(own).length === 0;
  return drawingOf((isPlain ? undefined : environment.withOptions?.(own)) ?? environment);
}
