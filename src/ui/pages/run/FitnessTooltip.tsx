import { Swatch } from "../../components/Swatch.tsx";
import { formatScore } from "../../lib/format.ts";
import type { ChartAxis } from "../../routes/route.ts";
import type { ChartRow } from "../../series/chartRows.ts";

interface Props {
  readonly axis: ChartAxis;
  readonly format: (value: number) => string;
  /** Set by the chart. */
  readonly active?: boolean;
  readonly payload?: readonly { readonly payload?: ChartRow }[];
}

const MAX_SLOTS = 12;
/** Where the spread says the rest. */
const MAX_SLOTS_OF_SPREAD = 5;

const range = ([low, high]: readonly [number, number]): string =>
  `${formatScore(low)} – ${formatScore(high)}`;

const Value = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

/** The values at the pointer, best first. */
export function FitnessTooltip({ axis, format, active = false, payload = [] }: Props) {
  const row = payload[0]?.payload;
  if (!active || row === undefined) return null;
  const ranked = row.slots
    .map((value, slot) => ({ value, slot }))
    .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
    .slice(0, row.spread === null ? MAX_SLOTS : MAX_SLOTS_OF_SPREAD);
  return (
    <div className="fitness-tooltip">
      <p>
        {axis === "generation" && "generation "}
        {format(row.x)}
        {axis === "steps" && " steps"}
      </p>
      <dl>
        {ranked.map(({ value, slot }) => (
          <div key={slot}>
            <dt>
              <Swatch slot={slot} /> {slot}
            </dt>
            <dd>{formatScore(value)}</dd>
          </div>
        ))}
        {row.spread === null ? (
          <Value name="mean" text={formatScore(row.mean)} />
        ) : (
          <>
            <Value name="median" text={formatScore(row.spread.median)} />
            <Value name="middle 50 %" text={range(row.spread.inner)} />
            <Value name="middle 80 %" text={range(row.spread.outer)} />
          </>
        )}
        <Value name="best so far" text={formatScore(row.best)} />
      </dl>
    </div>
  );
}
