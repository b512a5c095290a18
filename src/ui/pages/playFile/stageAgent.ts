/** A packed agent on a canvas of this page, in this thread: a file opened from the disk has no workers. */
import type { EnvironmentOptions } from "../../../rl/faces.ts";
import { type PageStage, pageStage } from "../../../stage/pageStage.ts";
import type { FromStage, StageSize } from "../../../stage/stageProtocol.ts";
import { onThemeChange, tokenColours } from "../../lib/drawing.ts";
import { stageTheme } from "../../stage/stageSettings.ts";

const sizeOf = (canvas: HTMLCanvasElement): StageSize => ({
  width: Math.max(1, canvas.clientWidth),
  height: Math.max(1, canvas.clientHeight),
  ratio: window.devicePixelRatio || 1,
});

export interface Staged {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly environment: string;
  readonly env_config: EnvironmentOptions | null;
}

/** Puts an agent on stage. @param tell hears readings and problems */
export function stageAgent(
  canvas: HTMLCanvasElement,
  { bytes, environment, env_config }: Staged,
  tell: (message: FromStage) => void,
): PageStage {
  const stage = pageStage(canvas.transferControlToOffscreen(), sizeOf(canvas), stageTheme(canvas), tell);
  new ResizeObserver(() => stage.resize(sizeOf(canvas))).observe(canvas);
  onThemeChange(() => stage.dress(stageTheme(canvas)));
  const { "slot-0": colour } = tokenColours(document.body, ["slot-0"]);
  const look = { colour, ancestors: [], module: null, packed: true };
  void stage.cast({ id: 1, members: [{ key: "agent", bytes, environment, env_config, ...look }] });
  return stage;
}
