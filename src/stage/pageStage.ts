/** Door: a stage in the page's own thread, for a page without workers. It has no environments of users. */
import { OwnLanes } from "./OwnLanes.ts";
import { Painter } from "./Painter.ts";
import { Stage } from "./Stage.ts";
import type { FromStage, StageSize, StageTheme } from "./stageProtocol.ts";

export { Adviser } from "./Adviser.ts";

export type PageStage = Pick<Stage, "cast" | "play" | "reseed" | "resize" | "dress">;

/** @param tell hears readings and problems */
export const pageStage = (
  canvas: OffscreenCanvas,
  size: StageSize,
  theme: StageTheme,
  tell: (message: FromStage) => void,
): PageStage =>
  new Stage({
    painter: new Painter(canvas, size, theme),
    still: false,
    rated: false,
    watched: false,
    tell,
    nextFrame: (frame) => requestAnimationFrame(frame),
    now: () => performance.now(),
    later: (milliseconds, act) => setTimeout(act, milliseconds),
    lanes: new OwnLanes(() => Promise.reject(new Error("This page has no code of users."))),
  });
