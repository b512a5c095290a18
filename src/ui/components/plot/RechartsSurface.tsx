import { memo, useId, useMemo } from "react";
import { Area, CartesianGrid, ComposedChart, Line, XAxis, YAxis, ZIndexLayer } from "recharts";
import { plotSlug } from "../../routes/plotViews.ts";
import { MARGIN, type PlotScene, strandPath } from "./plotScene.ts";

interface Row {
  readonly x: number;
  readonly values: readonly (number | null)[];
}

type Key<T> = (row: Row) => T;

/** Functions by what they stand for: Recharts redraws a line whose function changes. */
function kept<T>(make: (...places: number[]) => Key<T>): (...places: number[]) => Key<T> {
  const known = new Map<string, Key<T>>();
  return (...places) => {
    const name = places.join();
    const key = known.get(name) ?? make(...places);
    known.set(name, key);
    return key;
  };
}

const lineKey = kept(
  (at = 0) =>
    (row) =>
      row.values[at] ?? null,
);
const bandKey = kept((upper = 0, lower = 0) => (row): [number, number] | null => {
  const [high, low] = [row.values[upper] ?? null, row.values[lower] ?? null];
  return high === null || low === null ? null : [low, high];
});

const TICK = { fill: "var(--ink-3)", fontSize: 12 } as const;
const QUIET = { isAnimationActive: false, activeDot: false, dot: false } as const;
/** Below the chart library's lines, above its areas. */
const STRANDS = 350;

/** Draws a chart with elements, for few points. */
export const RechartsSurface = memo(function RechartsSurface({ scene }: { readonly scene: PlotScene }) {
  const { model, content, x, y, width, height } = scene;
  const { lines, bands, strands } = content;
  const clip = useId();
  const data = useMemo(
    () =>
      content.x.map(
        (position, at): Row => ({
          x: position,
          values: lines.map(({ values }) => {
            const value = values[at] ?? null;
            return value === null || (y.log && value <= 0) ? null : value;
          }),
        }),
      ),
    [content, lines, y.log],
  );
  const scale = (log: boolean) => (log ? "log" : "linear");
  const label =
    model.axisLabel === undefined
      ? undefined
      : ({ value: model.axisLabel, position: "insideBottom", offset: 4, ...TICK } as const);
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={data}
      margin={{ top: MARGIN.top, right: MARGIN.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        dataKey="x"
        type="number"
        scale={scale(x.log)}
        domain={[...x.domain]}
        allowDataOverflow
        ticks={[...x.ticks]}
        interval={0}
        tickFormatter={model.formatX}
        stroke="var(--line-strong)"
        tick={TICK}
        tickMargin={6}
        height={height - bottom}
        {...(label === undefined ? {} : { label })}
      />
      <YAxis
        type="number"
        scale={scale(y.log)}
        width={MARGIN.left}
        domain={[...y.domain]}
        allowDataOverflow
        ticks={[...y.ticks]}
        interval={0}
        tickFormatter={model.format}
        stroke="var(--line-strong)"
        tick={TICK}
      />
      {bands.map(({ between: [upper, lower], colour, opacity }, at) => (
        <Area
          key={at}
          {...QUIET}
          type="linear"
          className="plot-band"
          dataKey={bandKey(upper, lower)}
          connectNulls={content.joined}
          stroke="none"
          fill={`var(--${colour})`}
          fillOpacity={opacity}
        />
      ))}
      {strands.length > 0 && (
        <ZIndexLayer zIndex={STRANDS}>
          <clipPath id={clip}>
            <rect x={left} y={top} width={right - left} height={bottom - top} />
          </clipPath>
          <g className="plot-strands" clipPath={`url(#${clip})`} fill="none">
            {strands.map((strand, at) => (
              <path
                key={at}
                className={`plot-strand plot-strand--${strand.name}`}
                d={strandPath(strand, scene)}
                stroke={`var(--${strand.colour})`}
                strokeWidth={strand.width}
                strokeOpacity={strand.opacity}
              />
            ))}
          </g>
        </ZIndexLayer>
      )}
      {lines.map(
        ({ label: name, group, colour, width: thick, dash, points, opacity }, at) =>
          thick > 0 && (
            <Line
              key={`${group ?? name} ${name} ${opacity}`}
              {...QUIET}
              type="linear"
              className={`plot-line plot-line--${plotSlug(name)}${opacity < 1 ? " plot-line--raw" : ""}`}
              dataKey={lineKey(at)}
              connectNulls={content.joined}
              stroke={`var(--${colour})`}
              strokeWidth={thick}
              strokeOpacity={opacity}
              {...(dash === undefined ? {} : { strokeDasharray: dash.join(" ") })}
              dot={points ? { r: 3, fill: `var(--${colour})`, strokeDasharray: "none" } : false}
            />
          ),
      )}
    </ComposedChart>
  );
});
