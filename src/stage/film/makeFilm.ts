/** Makes films and posters of runs, as files. */
import type { OwnLanes } from "../OwnLanes.ts";
import type { FilmOrder } from "../stageProtocol.ts";
import { canvasContext } from "./canvasContext.ts";
import { drawOpening, drawPicture } from "./drawFilm.ts";
import { FilmCurve } from "./FilmCurve.ts";
import { FilmedStage } from "./FilmedStage.ts";
import type { FilmSize, FilmWriter } from "./FilmWriter.ts";
import { FILM_LAYOUTS } from "./filmLayout.ts";

/** Pixels per pixel of a video, and pictures a second. GIFs are large, so they are smaller and slower. */
const LOOK = { mp4: { part: 1, rate: 20 }, gif: { part: 2 / 3, rate: 10 } } as const;
/** Milliseconds of an act in which the curve reaches its generation, as long as the scene at its beginning. */
const REACHES = 1500;

async function writerOf({ format }: FilmOrder, size: FilmSize): Promise<FilmWriter> {
  if (format.kind === "gif") return (await import("./gifWriter.ts")).gifWriter(size);
  return (await import("./mp4Writer.ts")).mp4Writer(format.codec, size);
}

/**
 * Makes a film.
 * @param tell hears how much is made, 0 to 1
 * @throws Error if nobody can play or the browser cannot encode
 */
export async function makeFilm(
  order: FilmOrder,
  lanes: OwnLanes,
  tell: (done: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const { acts, theme, format, opening } = order;
  const { part: scale, rate } = LOOK[format.kind];
  const { film, stage: place, curve: curvePlace } = FILM_LAYOUTS[order.shape];
  const ratio = film.ratio * scale;
  const context = canvasContext({ ...film, ratio });
  const { canvas } = context;
  const writer = await writerOf(order, { width: canvas.width, height: canvas.height, rate });
  const stage = new FilmedStage({ size: { width: place.width, height: place.height, ratio }, theme, lanes });
  const curve = new FilmCurve(order.curve, curvePlace);
  const begin = opening?.seconds ?? 0;
  const total = acts.reduce((sum, { seconds }) => sum + seconds, begin);
  let made = 0;
  for (; made < Math.round(begin * rate); made++) {
    drawOpening(context, order);
    await writer.add(canvas);
  }
  for (const [at, act] of acts.entries()) {
    const id = at + 1;
    await stage.cast({ id, members: act.members });
    const before = acts[at - 1] ?? act;
    const until = Math.round(rate * acts.slice(0, id).reduce((sum, { seconds }) => sum + seconds, begin));
    for (let own = 0; made < until; own++, made++) {
      await stage.advance(1000 / rate);
      const { generation, members, best } = stage.shown === id ? act : before;
      const part = Math.min(1, (own * 1000) / rate / REACHES);
      const reached = before.generation + part * (act.generation - before.generation);
      drawPicture(context, order, stage.canvas, curve, {
        generation,
        members: members.length,
        best,
        reached,
      });
      await writer.add(canvas);
      tell(made / (total * rate));
    }
  }
  return writer.finish();
}
