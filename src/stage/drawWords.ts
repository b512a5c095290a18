import type { StageTheme } from "./stageProtocol.ts";
import type { Words } from "./Transition.ts";

/** Size of the words as a part of a tile's height, and its least and greatest, CSS pixels. */
const TEXT = { part: 0.12, least: 9, most: 12 } as const;
/** Room around the words and up to the edge of the tile as a part of their size, and below them, CSS pixels. */
const ROOM = { beside: 0.5, above: 0.3, edge: 0.2, below: 4 } as const;

/** Room beside words on both sides, for a size of text. */
const beside = (size: number): number => 2 * size * (ROOM.beside + ROOM.edge);

/** Whether a text can end with a word: not with "×" or a number. */
const ends = (word: string | undefined): boolean => word !== undefined && /^[a-z]/i.test(word);

/** As much of a text as fits, smaller if need be: whole, or up to a word that it can end with; empty if nothing fits. */
function fitted(context: OffscreenCanvasRenderingContext2D, text: string, width: number, wanted: number) {
  const words = text.split(" ");
  for (let count = words.length; count > 0; count--) {
    if (count < words.length && !ends(words[count - 1])) continue;
    const shown = words.slice(0, count).join(" ");
    for (let size = wanted; size >= TEXT.least; size--) {
      context.font = `600 ${size}px system-ui, sans-serif`;
      if (context.measureText(shown).width + beside(size) <= width) return { shown, size };
    }
  }
  return { shown: "", size: wanted };
}

/** Writes what is new about a member at the bottom of its picture; a tile too narrow for words gets a line instead. */
export function drawWords(
  context: OffscreenCanvasRenderingContext2D,
  { place, text, opacity }: Words,
  { ink, ground }: StageTheme,
): void {
  const { x, y, width, height } = place;
  const wanted = Math.min(TEXT.most, Math.max(TEXT.least, Math.round(height * TEXT.part)));
  context.save();
  context.globalAlpha = opacity;
  context.fillStyle = ink;
  const { shown, size } = fitted(context, text, width, wanted);
  if (shown === "") context.fillRect(x, y, width, 2);
  else {
    const wide = context.measureText(shown).width + 2 * size * ROOM.beside;
    const high = size * (1 + 2 * ROOM.above);
    const [left, top] = [x + (width - wide) / 2, y + height - high - ROOM.below];
    context.beginPath();
    context.roundRect(left, top, wide, high, high / 2);
    context.fill();
    context.fillStyle = ground;
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillText(shown, x + width / 2, top + high / 2 + 0.5);
  }
  context.restore();
}
