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

/** The values at the pointer, best first. */
export function FitnessTooltip({ axis, format, active = false, payload = [] }: Props) {
  const row = payload[0]?.payload;
  if (!active || row === undefined) return null;
  const ranked = row.slots
    .map((value, slot) => ({ value, slot }))
    .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY))
    .slice(0, MAX_SLOTS);
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
        <div>
          <dt>mean</dt>
          <dd>{formatScore(row.mean)}</dd>
        </div>
        <div>
          <dt>best so far</dt>
          <dd>{formatScore(row.best)}</dd>
        </div>
      </dl>
    </div>
  );
}
