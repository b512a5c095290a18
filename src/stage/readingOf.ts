import type { Reading } from "./stageProtocol.ts";
import type { Tile } from "./Tile.ts";

/** The current state of a tile's episode. */
export const readingOf = ({ key, play }: Tile): Reading => ({
  key,
  seed: play.seed,
  steps: play.steps,
  total: play.total,
  ended: play.ended,
  action: play.action,
  value: play.value(),
});
