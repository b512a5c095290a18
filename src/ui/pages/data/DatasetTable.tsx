import { useId } from "react";
import type { KeptDataset } from "../../../workers/pages.ts";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { formatAgo, formatBytes, formatCount, NONE } from "../../lib/format.ts";
import { useNow } from "../../lib/updateClock.ts";
import { dataRoute, formatRoute } from "../../routes/route.ts";
import { DeleteDataset, useNeedingRuns } from "./DeleteDataset.tsx";

const ORIGINS = { added: "added here", fetched: "from the hub", recorded: "recorded here" } as const;

const bytesOf = ({ files }: KeptDataset): number => files.reduce((sum, { size }) => sum + size, 0);

/** The stored data sets, with facts about each. */
export function DatasetTable({ datasets }: { readonly datasets: readonly KeptDataset[] }) {
  const needing = useNeedingRuns();
  return (
    <ScrollRegion label="Data sets table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Data set</th>
            <th scope="col">Environment</th>
            <th scope="col" className="number">
              Episodes
            </th>
            <th scope="col" className="number">
              Steps or rows
            </th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col">Source</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {datasets.map((dataset) => (
            <DatasetRow key={dataset.sha256} dataset={dataset} needing={needing(dataset)} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface RowProps {
  readonly dataset: KeptDataset;
  readonly needing: readonly string[];
}

function DatasetRow({ dataset, needing }: RowProps) {
  const id = useId();
  const now = useNow();
  const { name, sha256, kind, environment, episodes, rows, origin, added_at } = dataset;
  return (
    <tr>
      <th scope="row" id={id}>
        <a href={formatRoute(dataRoute(sha256))}>{name}</a>
      </th>
      <td>{kind === "table" ? "bandit table" : (environment ?? NONE)}</td>
      <td className="number">{episodes === null ? NONE : formatCount(episodes)}</td>
      <td className="number">{formatCount(rows)}</td>
      <td className="number">{formatBytes(bytesOf(dataset))}</td>
      <td>
        {ORIGINS[origin]}, {formatAgo(added_at, now)}
      </td>
      <td className="data__actions">
        <DeleteDataset dataset={dataset} needing={needing} describedBy={id} />
      </td>
    </tr>
  );
}
