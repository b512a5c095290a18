/** Parts of pictures of one agent. */
import type { OwnLanes } from "../OwnLanes.ts";
import type { PreviewOrder, StageSize } from "../stageProtocol.ts";
import { write } from "./drawFilm.ts";
import { FilmedStage } from "./FilmedStage.ts";

/** Milliseconds of play before the picture: those who can run are running. */
const PLAYED = 2000;
const STEP = 50;

/** An agent after two seconds of play. @throws Error if it cannot play */
export async function championPicture(
  size: StageSize,
  { theme, champion }: Pick<PreviewOrder, "theme" | "champion">,
  lanes: OwnLanes,
): Promise<OffscreenCanvas> {
  const stage = new FilmedStage({ size, theme, lanes });
  await stage.cast({ id: 1, members: [champion] });
  for (let time = 0; time < PLAYED; time += STEP) await stage.advance(STEP);
  return stage.canvas;
}

const [LABEL, VALUE] = [14, 28] as const;

/** Writes facts side by side, each below its label. @param place left end and width; the labels' baseline */
export function writeFacts(
  context: OffscreenCanvasRenderingContext2D,
  { facts, theme }: Pick<PreviewOrder, "facts" | "theme">,
  place: { readonly x: number; readonly y: number; readonly width: number },
): void {
  for (const [at, [label, value]] of facts.entries()) {
    const x = place.x + (at * place.width) / facts.length;
    const width = place.width / facts.length - 16;
    write(context, label, { x, y: place.y, size: LABEL, colour: theme.soft, width });
    // A number that is cut would be another one.
    const whole = { whole: true, width } as const;
    write(context, value, { x, y: place.y + 34, size: VALUE, weight: 650, colour: theme.ink, ...whole });
  }
}

export async function pngOf(canvas: OffscreenCanvas): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await blob.arrayBuffer());
}
