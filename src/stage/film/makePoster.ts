import type { OwnLanes } from "../OwnLanes.ts";
import type { PosterOrder, StageSize } from "../stageProtocol.ts";
import { canvasContext } from "./canvasContext.ts";
import { write } from "./drawFilm.ts";
import { championPicture, pngOf, writeFacts } from "./pictureParts.ts";

/** Size and places of a poster, and the pixels of each of its units. */
const POSTER: StageSize = { width: 960, height: 1280, ratio: 2 };
const MARGIN = 48;
const WIDTH = POSTER.width - 2 * MARGIN;
const CHAMPION = { y: 136, height: 400 } as const;
const TREE = { y: 620, height: 480 } as const;
const FACTS = 1168;

/** Makes a PNG of a run's champion and its family tree. @throws Error if the champion cannot play */
export async function makePoster(order: PosterOrder, lanes: OwnLanes): Promise<Uint8Array<ArrayBuffer>> {
  const { title, about, theme, tree } = order;
  const { ratio } = POSTER;
  const context = canvasContext(POSTER);
  const atPlay = await championPicture({ width: WIDTH, height: CHAMPION.height, ratio }, order, lanes);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, POSTER.width, POSTER.height);
  const [left, right] = [MARGIN, POSTER.width - MARGIN];
  write(context, title, { x: left, y: 78, size: 38, weight: 650, colour: theme.ink, width: WIDTH });
  write(context, about, { x: left, y: 108, size: 18, colour: theme.soft, width: WIDTH });
  context.drawImage(atPlay, MARGIN, CHAMPION.y, WIDTH, CHAMPION.height);
  write(context, "The champion", {
    x: left,
    y: CHAMPION.y + CHAMPION.height + 24,
    size: 14,
    colour: theme.soft,
  });
  write(context, "Its family", { x: left, y: TREE.y - 14, size: 18, weight: 650, colour: theme.ink });
  context.drawImage(tree, MARGIN, TREE.y, WIDTH, TREE.height);
  writeFacts(context, order, { x: MARGIN, y: FACTS, width: WIDTH });
  write(context, "made with rlkit", {
    x: right,
    y: POSTER.height - 28,
    size: 14,
    align: "right",
    colour: theme.soft,
  });
  return pngOf(context.canvas);
}
