import { useHighlight } from "../../state/highlight.ts";
import { usePointed } from "./crosshair.ts";
import { type PlotScale, toPixel } from "./plotScale.ts";
import type { PlotScene } from "./plotScene.ts";

interface Props {
  readonly scene: PlotScene;
  /** The box that the user draws to zoom, in pixels; null for none. */
  readonly box: { readonly x: readonly [number, number]; readonly y: readonly [number, number] } | null;
  readonly clip: string;
}

const isWithin = ({ domain: [low, high] }: PlotScale, value: number): boolean =>
  value >= low && value <= high;

/** The line of the highlighted member, in every chart of members. */
function Trace({ scene: { model, x, y } }: { readonly scene: PlotScene }) {
  const member = useHighlight((state) => state.member);
  if (member === null || model.members === undefined) return null;
  const { colour, points } = model.members.trace(member);
  if (points.length === 0) return null;
  const path = points.map((point) => `${toPixel(x, point[0]).toFixed(1)} ${toPixel(y, point[1]).toFixed(1)}`);
  return (
    <path
      className="plot__trace"
      d={`M${path.join("L")}`}
      stroke={`var(--${colour})`}
      strokeWidth={2.5}
      fill="none"
    />
  );
}

/** A line at the position under the crosshair. */
function Cursor({ scene: { model, x, y } }: { readonly scene: PlotScene }) {
  const at = usePointed(model);
  const position = at === null ? Number.NaN : (model.x[at] ?? Number.NaN);
  if (at === null || !isWithin(x, position)) return null;
  const place = toPixel(x, position);
  return (
    <>
      <line
        className="plot__cursor"
        x1={place}
        x2={place}
        y1={y.pixels[1]}
        y2={y.pixels[0]}
        stroke="var(--ink-3)"
      />
      {model.lines.map(({ width, values, read, colour }, line) => {
        const value = values[at] ?? null;
        return (
          read !== false &&
          width > 0 &&
          value !== null &&
          isWithin(y, value) && (
            <circle key={line} cx={place} cy={toPixel(y, value)} r={3} fill={`var(--${colour})`} />
          )
        );
      })}
    </>
  );
}

/** What lies above the drawing of a chart: the highlighted member, the crosshair and the zoom's box. */
export function PlotOverlay({ scene, box, clip }: Props) {
  const { x, y, width, height } = scene;
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;
  return (
    <svg className="plot__overlay cover" width={width} height={height} aria-hidden="true">
      <clipPath id={clip}>
        <rect x={left} y={top} width={Math.max(0, right - left)} height={Math.max(0, bottom - top)} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <Trace scene={scene} />
        <Cursor scene={scene} />
      </g>
      {box !== null && (
        <rect
          className="plot__box"
          x={Math.min(...box.x)}
          y={Math.min(...box.y)}
          width={Math.abs(box.x[1] - box.x[0])}
          height={Math.abs(box.y[1] - box.y[0])}
        />
      )}
    </svg>
  );
}
