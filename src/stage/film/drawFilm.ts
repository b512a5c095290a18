/** Draws the pictures of a film: title, stage, fitness. */
import type { FilmOrder } from "../stageProtocol.ts";
import type { FilmCurve } from "./FilmCurve.ts";
import { CURVE, FILM, STAGE, TEXT } from "./filmLayout.ts";

type Context = OffscreenCanvasRenderingContext2D;

const FAMILY = "system-ui, sans-serif";

interface Written {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly colour: string;
  readonly weight?: number;
  readonly align?: CanvasTextAlign;
  /** The text is narrowed to it. */
  readonly width?: number;
}

/** Writes a line of text; one that is too long ends with an ellipsis. */
export function write(context: Context, text: string, place: Written): void {
  const { x, y, size, colour, weight = 400, align = "left", width = Number.POSITIVE_INFINITY } = place;
  context.font = `${weight} ${size}px ${FAMILY}`;
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  let shown = text;
  for (let end = text.length - 1; end > 0 && context.measureText(shown).width > width; end--)
    shown = `${text.slice(0, end).trimEnd()}…`;
  context.fillText(shown, x, y);
}

/** What is on stage at a moment. */
export interface Shown {
  readonly generation: number;
  readonly members: number;
  /** Best fitness of the generation, as text; null without one. */
  readonly best: string | null;
  /** Generation up to which the curve goes. */
  readonly reached: number;
}

/** Draws what does not change. */
export function drawTitle(
  context: Context,
  { title, about, theme }: Pick<FilmOrder, "title" | "about" | "theme">,
): void {
  const width = TEXT.right - TEXT.left - 220;
  write(context, title, { x: TEXT.left, ...TEXT.title, colour: theme.ink, weight: 650, width });
  write(context, about, { x: TEXT.left, ...TEXT.about, colour: theme.soft, width });
}

/** Draws a whole picture. */
export function drawPicture(
  context: Context,
  order: FilmOrder,
  stage: OffscreenCanvas,
  curve: FilmCurve,
  { generation, members, best, reached }: Shown,
): void {
  const { theme } = order;
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, FILM.width, FILM.height);
  drawTitle(context, order);
  const last = order.curve.generation[order.curve.generation.length - 1] ?? generation;
  const right = { x: TEXT.right, align: "right" } as const;
  write(context, `Generation ${generation}`, { ...right, ...TEXT.title, colour: theme.ink, weight: 650 });
  const count = members === 1 ? "its best member" : `${members} members`;
  write(context, `of ${last}, ${count}`, { ...right, ...TEXT.about, colour: theme.soft });
  context.drawImage(stage, STAGE.x, STAGE.y, STAGE.width, STAGE.height);
  write(context, "Best fitness", { x: TEXT.left, ...TEXT.label, colour: theme.soft });
  write(context, best ?? "–", { x: TEXT.left, ...TEXT.figure, colour: theme.ink, weight: 650, width: 124 });
  drawCurve(context, order, curve, reached);
  write(context, "made with rlkit", { ...right, ...TEXT.foot, colour: theme.soft });
}

function drawCurve(
  context: Context,
  { theme, curve: values }: FilmOrder,
  curve: FilmCurve,
  reached: number,
): void {
  context.lineWidth = 1;
  context.strokeStyle = theme.line;
  const line = (y: number): void => {
    context.beginPath();
    context.moveTo(CURVE.x, Math.round(y) + 0.5);
    context.lineTo(CURVE.x + CURVE.width, Math.round(y) + 0.5);
    context.stroke();
  };
  line(CURVE.y + CURVE.height);
  if (values.target !== null) {
    context.strokeStyle = theme.target;
    context.setLineDash([6, 4]);
    line(curve.y(values.target));
    context.setLineDash([]);
    const y = curve.y(values.target) + 4;
    write(context, "target", {
      x: CURVE.x + CURVE.width + 8,
      y,
      size: TEXT.label.size,
      colour: theme.target,
    });
  }
  const points = curve.upTo(reached);
  const [first, end] = [points[0], points.at(-1)];
  if (first === undefined || end === undefined) return;
  context.strokeStyle = context.fillStyle = theme.accent;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  context.moveTo(first.x, first.y);
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
  context.beginPath();
  context.arc(end.x, end.y, 4, 0, 2 * Math.PI);
  context.fill();
}
