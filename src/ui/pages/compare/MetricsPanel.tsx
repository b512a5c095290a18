import { useMemo, useState } from "react";
import { Segments } from "../../components/buttons.tsx";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { formatHyperparameter, NONE } from "../../lib/format.ts";
import { measuresOf, type Pick, picked } from "./measures.ts";
import { RunHeadings } from "./RunHeadings.tsx";
import type { ComparedRun } from "./useComparedRuns.ts";

const PICKS: Readonly<Record<Pick, string>> = { last: "Last", best: "Highest", min: "Lowest" };

/** A table of all measures of all runs. */
export function MetricsPanel({ runs }: { readonly runs: readonly ComparedRun[] }) {
  const [pick, setPick] = useState<Pick>("last");
  const rows = useMemo(
    () =>
      measuresOf(runs.flatMap(({ columns }) => columns ?? [])).map(({ name, of }) => ({
        name,
        values: runs.map(({ columns }) => (columns === null ? Number.NaN : picked(of(columns), pick))),
      })),
    [runs, pick],
  );
  return (
    <section className="panel" aria-label="Metrics">
      <div className="panel__head">
        <h2>Metrics</h2>
        <Segments label="Value shown" options={PICKS} value={pick} onChange={setPick} />
      </div>
      <ScrollRegion label="Metrics table">
        <table className="table">
          <RunHeadings runs={runs} first="Metric" />
          <tbody>
            {rows.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, at) => (
                  <td key={runs[at]?.id} className="number">
                    {Number.isFinite(value) ? formatHyperparameter(value) : NONE}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
