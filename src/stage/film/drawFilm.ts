/** Draws the pictures of a film: title, stage, fitness. */
import type { FilmOrder } from "../stageProtocol.ts";
import type { FilmCurve } from "./FilmCurve.ts";
import { FILM_LAYOUTS } from "./filmLayout.ts";

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
  /** Whether a text that is too long becomes smaller, as a number must. */
  readonly whole?: boolean;
}

/** Writes a line of text; one that is too long ends with an ellipsis, unless it stays whole. */
export function write(context: Context, text: string, place: Written): void {
  const { x, y, size, colour, weight = 400, align = "left", width = Number.POSITIVE_INFINITY } = place;
  const font = (height: number): void => {
    context.font = `${weight} ${height}px ${FAMILY}`;
  };
  font(size);
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  let shown = text;
  const found = context.measureText(text).width;
  if (place.whole && found > width) font((size * width) / found);
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

/** Draws the title alone. */
export function drawOpening(context: Context, { title, about, opening, theme, shape }: FilmOrder): void {
  const { film } = FILM_LAYOUTS[shape];
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, film.width, film.height);
  const place = { x: film.width / 2, align: "center", width: film.width - 96 } as const;
  const middle = film.height / 2;
  write(context, title, { ...place, y: middle - 12, size: 40, colour: theme.ink, weight: 650 });
  write(context, about, { ...place, y: middle + 24, size: 20, colour: theme.soft });
  write(context, opening?.text ?? "", { ...place, y: middle + 54, size: 16, colour: theme.soft });
}

/** Draws a whole picture. */
export function drawPicture(
  context: Context,
  order: FilmOrder,
  stage: OffscreenCanvas,
  curve: FilmCurve,
  { generation, members, best, reached }: Shown,
): void {
  const { theme, title, about } = order;
  const at = FILM_LAYOUTS[order.shape];
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, at.film.width, at.film.height);
  const [strong, soft] = [{ colour: theme.ink, weight: 650 }, { colour: theme.soft }];
  write(context, title, { ...at.title, ...strong });
  write(context, about, { ...at.about, ...soft });
  const last = order.curve.generation[order.curve.generation.length - 1] ?? generation;
  write(context, `Generation ${generation}`, { ...at.generation, ...strong, whole: true });
  const count = members === 1 ? "its best member" : `${members} members`;
  write(context, `of ${last}, ${count}`, { ...at.members, ...soft, whole: true });
  context.drawImage(stage, at.stage.x, at.stage.y, at.stage.width, at.stage.height);
  write(context, order.curve.label, { ...at.label, ...soft });
  write(context, best ?? "–", { ...at.figure, ...strong, whole: true });
  drawCurve(context, order, curve, reached);
  write(context, "made with rlkit", { ...at.foot, ...soft });
}

function drawCurve(
  context: Context,
  { theme, curve: values, shape }: FilmOrder,
  curve: FilmCurve,
  reached: number,
): void {
  const { curve: place, label } = FILM_LAYOUTS[shape];
  context.lineWidth = 1;
  context.strokeStyle = theme.line;
  const line = (y: number): void => {
    context.beginPath();
    context.moveTo(place.x, Math.round(y) + 0.5);
    context.lineTo(place.x + place.width, Math.round(y) + 0.5);
    context.stroke();
  };
  line(place.y + place.height);
  if (values.target !== null) {
    context.strokeStyle = theme.target;
    context.setLineDash([6, 4]);
    line(curve.y(values.target));
    context.setLineDash([]);
    const y = curve.y(values.target) + 4;
    write(context, "target", {
      x: place.x + place.width + 8,
      y,
      size: label.size,
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
