import type { PictureSize } from "../sandbox/sandboxes.ts";
import { pictureHeight } from "./Painter.ts";
import type { StageSize } from "./stageProtocol.ts";
import type { TileGrid } from "./tileGrid.ts";

/**
 * Height of every picture in the units of its drawing. It is the same as on the Environments page, so that
 * shapes of a fixed size take up the same part of each picture.
 */
const HEIGHT = 320;
/** Maximum length of a picture's longer side. */
const MOST_PIXELS = 2048;

/** The picture size that a stage's tiles request from sandboxes. */
export function ownPictureSize(grid: TileGrid, { ratio }: Pick<StageSize, "ratio">): PictureSize {
  const place = grid.place(0);
  const high = pictureHeight(place);
  const width = Math.max(1, Math.round((HEIGHT * place.width) / high));
  const scale = Math.min((high * ratio) / HEIGHT, MOST_PIXELS / Math.max(width, HEIGHT));
  return { width, height: HEIGHT, scale };
}
