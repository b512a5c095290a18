import type { OwnLanes } from "../OwnLanes.ts";
import type { PosterOrder, StageSize } from "../stageProtocol.ts";
import { canvasContext } from "./canvasContext.ts";
import { write } from "./drawFilm.ts";
import { FilmedStage } from "./FilmedStage.ts";

/** Size and places of a poster, and the pixels of each of its units. */
const POSTER: StageSize = { width: 960, height: 1280, ratio: 2 };
const MARGIN = 48;
const WIDTH = POSTER.width - 2 * MARGIN;
const CHAMPION = { y: 136, height: 400 } as const;
const TREE = { y: 620, height: 480 } as const;
const FACTS = { y: 1168, label: 14, value: 28 } as const;

/** Milliseconds of play before the picture: those who can run are running. */
const PLAYED = 2000;
const STEP = 50;

/** Makes a PNG of a run's champion and its family tree. @throws Error if the champion cannot play */
export async function makePoster(order: PosterOrder, lanes: OwnLanes): Promise<Uint8Array<ArrayBuffer>> {
  const { title, about, theme, champion, tree, facts } = order;
  const { ratio } = POSTER;
  const context = canvasContext(POSTER);
  const stage = new FilmedStage({ size: { width: WIDTH, height: CHAMPION.height, ratio }, theme, lanes });
  await stage.cast({ id: 1, members: [champion] });
  for (let time = 0; time < PLAYED; time += STEP) await stage.advance(STEP);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, POSTER.width, POSTER.height);
  const [left, right] = [MARGIN, POSTER.width - MARGIN];
  write(context, title, { x: left, y: 78, size: 38, weight: 650, colour: theme.ink, width: WIDTH });
  write(context, about, { x: left, y: 108, size: 18, colour: theme.soft, width: WIDTH });
  context.drawImage(stage.canvas, MARGIN, CHAMPION.y, WIDTH, CHAMPION.height);
  write(context, "The champion", {
    x: left,
    y: CHAMPION.y + CHAMPION.height + 24,
    size: 14,
    colour: theme.soft,
  });
  write(context, "Its family", { x: left, y: TREE.y - 14, size: 18, weight: 650, colour: theme.ink });
  context.drawImage(tree, MARGIN, TREE.y, WIDTH, TREE.height);
  for (const [at, [label, value]] of facts.entries()) {
    const x = MARGIN + (at * WIDTH) / facts.length;
    write(context, label, { x, y: FACTS.y, size: FACTS.label, colour: theme.soft });
    const size = FACTS.value;
    write(context, value, {
      x,
      y: FACTS.y + 34,
      size,
      weight: 650,
      colour: theme.ink,
      width: WIDTH / facts.length - 16,
    });
  }
  write(context, "made with rlkit", {
    x: right,
    y: POSTER.height - 28,
    size: 14,
    align: "right",
    colour: theme.soft,
  });
  const blob = await context.canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await blob.arrayBuffer());
}
