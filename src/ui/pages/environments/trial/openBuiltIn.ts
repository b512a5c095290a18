import { type DrawingTheme, drawEnvironment, loadEnvironment, make } from "../../../../rl/environments.ts";
import { type EnvironmentOptions, SyncVectorEnvironment } from "../../../../rl/faces.ts";
import type { Playable } from "./Trial.ts";

/**
 * Opens one of rlkit's own environments on the page's thread, with one lane.
 * @throws RangeError when the id is unknown; Error when its implementation cannot be loaded.
 */
export async function openBuiltIn(
  id: string,
  theme: DrawingTheme,
  options: EnvironmentOptions = {},
): Promise<Playable> {
  await loadEnvironment(id);
  const env = make(id, options);
  const lanes = new SyncVectorEnvironment([() => env]);
  const draw = drawEnvironment(id, options);
  let action: number | null = null;
  return {
    single_action_space: lanes.single_action_space,
    renders: draw !== null,
    reset: async (options) => {
      action = null;
      return lanes.reset(options);
    },
    step: async (actions) => {
      action = actions[0] ?? null;
      return lanes.step(actions);
    },
    render: async (_lane, size) => {
      const canvas = new OffscreenCanvas(size.width, size.height);
      const context = canvas.getContext("2d");
      if (context) draw?.(context, env.getState(), action, size, theme);
      return canvas.transferToImageBitmap();
    },
  };
}
