import { useMemo, useState } from "react";
import { Segments } from "../../components/buttons.tsx";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { formatHyperparameter, NONE } from "../../lib/format.ts";
import { formatRoute, runRoute } from "../../routes/route.ts";
import { configRows, measuresOf, type Pick, picked } from "./comparison.ts";
import { runColour } from "./runColour.ts";
import type { ComparedRun } from "./useComparedRuns.ts";

interface HeadingsProps {
  readonly runs: readonly ComparedRun[];
  /** Heading of the first column. */
  readonly first: string;
}

/** The header of a table with one column per run. */
function RunHeadings({ runs, first }: HeadingsProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {runs.map(({ id, place, view }) => (
          <th key={id} scope="col" className="number">
            <i className="compare__colour" style={{ background: `var(--${runColour(place)})` }} />{" "}
            <a href={formatRoute(runRoute(id))}>{view.summary?.name ?? id}</a>
          </th>
        ))}
      </tr>
    </thead>
  );
}

const SCOPES = { differences: "Differences", all: "All" } as const;

/** The runs' manifests side by side. */
export function ConfigPanel({ runs }: { readonly runs: readonly ComparedRun[] }) {
  const [scope, setScope] = useState<keyof typeof SCOPES>("differences");
  const manifests = runs.map(({ view }) => view.manifest);
  const known = manifests.map((manifest) => JSON.stringify(manifest)).join();
  // oxlint-disable-next-line react/exhaustive-deps -- `known` stands for the manifests, which never change
  const rows = useMemo(() => configRows(manifests), [known]);
  const shown = scope === "all" ? rows : rows.filter(({ differs }) => differs);
  return (
    <section className="panel" aria-label="Configuration">
      <div className="panel__head">
        <h2>Configuration</h2>
        <Segments label="Values" options={SCOPES} value={scope} onChange={setScope} />
      </div>
      {shown.length === 0 ? (
        <p className="empty">These runs have the same configuration.</p>
      ) : (
        <ScrollRegion label="Configuration table" className="table-scroll compare__config">
          <table className="table">
            <RunHeadings runs={runs} first="Value" />
            <tbody>
              {shown.map(({ name, values, differs }) => (
                <tr key={name} className={differs && scope === "all" ? "compare__differs" : undefined}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  {values.map((value, at) => (
                    <td key={runs[at]?.id} className="number">
                      {value ?? NONE}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}

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
