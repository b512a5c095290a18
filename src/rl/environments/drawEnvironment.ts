import type { DrawEnvironment } from "./drawing/drawing.ts";
import { drawingOf, registeredDrawing } from "./drawing/registeredDrawings.ts";
import type { EnvironmentOptions } from "./face/HostEnvironment.ts";
import { knownEnvironment } from "./registry.ts";

/**
 * The drawing of an environment, by id: the one registered with `registerDrawing`, otherwise the
 * environment's own; null if there is neither.
 * @param options Options that the environment was made with (default: none).
 * @throws SpecError when the environment does not have one of the options.
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
