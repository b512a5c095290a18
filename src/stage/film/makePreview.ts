import type { OwnLanes } from "../OwnLanes.ts";
import type { PreviewOrder, StageSize } from "../stageProtocol.ts";
import { canvasContext } from "./canvasContext.ts";
import { write } from "./drawFilm.ts";
import { championPicture, pngOf, writeFacts } from "./pictureParts.ts";

/** The size that places which show links expect of a large picture. */
const PREVIEW: StageSize = { width: 1200, height: 630, ratio: 1 };
const MARGIN = 48;
const WIDTH = PREVIEW.width - 2 * MARGIN;
const CHAMPION = { y: 132, height: 380 } as const;

/** Makes a PNG of an agent at play. @throws Error if it cannot play */
export async function makePreview(order: PreviewOrder, lanes: OwnLanes): Promise<Uint8Array<ArrayBuffer>> {
  const { title, about, theme } = order;
  const context = canvasContext(PREVIEW);
  const atPlay = await championPicture({ width: WIDTH, height: CHAMPION.height, ratio: 1 }, order, lanes);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, PREVIEW.width, PREVIEW.height);
  write(context, title, { x: MARGIN, y: 72, size: 42, weight: 650, colour: theme.ink, width: WIDTH });
  write(context, about, { x: MARGIN, y: 108, size: 22, colour: theme.soft, width: WIDTH });
  context.drawImage(atPlay, MARGIN, CHAMPION.y, WIDTH, CHAMPION.height);
  writeFacts(context, order, { x: MARGIN, y: 560, width: WIDTH * 0.75 });
  write(context, "made with rlkit", {
    x: PREVIEW.width - MARGIN,
    y: 594,
    size: 16,
    align: "right",
    colour: theme.soft,
  });
  return pngOf(context.canvas);
}
