/** Positions of tiles in a rectangle; the page and the stage use the same positions. */

/** CSS pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TileGrid {
  readonly columns: number;
  readonly rows: number;
  /** Rectangle of the tile at a position, row by row, without its caption. */
  place(position: number): Rectangle;
}

/** Gap between tiles, CSS pixels: many small tiles lie closer together. */
export const tileGap = (count: number): number => (count <= 24 ? 8 : count <= 64 ? 4 : 2);
/** Width to height ratio that suits most environments. */
const ASPECT = 4 / 3;

/**
 * The grid with the largest pictures and few empty places.
 * @param caption Height below each picture that is left free.
 */
export function tileGrid(count: number, width: number, height: number, caption: number): TileGrid {
  const tiles = Math.max(1, count);
  const gap = tileGap(count);
  const roomOf = (total: number, parts: number): number =>
    Math.max(1, Math.floor((total - (parts - 1) * gap) / parts));
  let best = { columns: 1, rows: tiles, wide: 0, high: 0, scale: -1 };
  for (let columns = 1; columns <= tiles; columns++) {
    const rows = Math.ceil(tiles / columns);
    const wide = roomOf(width, columns);
    const high = Math.max(1, roomOf(height, rows) - caption);
    // Rows that are full look better than slightly larger pictures.
    const scale = (Math.min(wide / ASPECT, high) * tiles) / (columns * rows);
    if (scale > best.scale) best = { columns, rows, wide, high, scale };
  }
  const { columns, rows, wide, high } = best;
  return {
    columns,
    rows,
    place: (position) => ({
      x: (position % columns) * (wide + gap),
      y: Math.floor(position / columns) * (high + caption + gap),
      width: wide,
      height: high,
    }),
  };
}
