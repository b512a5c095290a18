import { useMemo, useState } from "react";
import { Segments } from "../../components/buttons.tsx";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { NONE } from "../../lib/format.ts";
import { configRows } from "./configRows.ts";
import { RunHeadings } from "./RunHeadings.tsx";
import type { ComparedRun } from "./useComparedRuns.ts";

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
