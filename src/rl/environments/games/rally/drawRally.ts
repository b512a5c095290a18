import type { DrawEnvironment } from "../../drawing/drawing.ts";
import { at, bar, disc, scene } from "../../drawing/scene.ts";
import { FAR, REACH, TOP } from "./rules.ts";

const MARGIN = 1;

/** The court with its walls and centre line; the first player's paddle is on the left, in the page's accent. */
export const drawRally: DrawEnvironment = scene(
  { left: -MARGIN, right: FAR + MARGIN, bottom: -MARGIN, top: TOP + MARGIN },
  (context, state, _action, theme) => {
    context.globalAlpha = 0.16;
    for (const y of [-0.5, TOP + 0.5]) bar(context, [-0.5, y], [FAR + 0.5, y], 0.15, theme.muted);
    for (let y = 0; y <= TOP; y += 2) bar(context, [FAR / 2, y - 0.3], [FAR / 2, y + 0.3], 0.1, theme.muted);
    context.globalAlpha = 1;
    const paddle = (x: number, y: number, color: string) =>
      bar(context, [x, y - REACH], [x, y + REACH], 0.5, color);
    paddle(-0.3, at(state, 4), theme.accent);
    paddle(FAR + 0.3, at(state, 5), theme.ink);
    const [x, y] = [at(state, 0), at(state, 1)];
    // Not served yet.
    if (x >= 0) disc(context, x, y, 0.4, theme.ink);
  },
);
