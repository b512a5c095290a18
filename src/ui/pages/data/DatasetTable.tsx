import { useId } from "react";
import type { KeptDataset } from "../../../workers/pages.ts";
import { type ColumnHead, TableFrame } from "../../components/Table.tsx";
import { formatAgo, formatBytes, formatCount, NONE } from "../../lib/format.ts";
import { useNow } from "../../lib/updateClock.ts";
import { dataRoute, formatRoute } from "../../routes/route.ts";
import { DeleteDataset, useNeedingRuns } from "./DeleteDataset.tsx";

const ORIGINS = { added: "added here", fetched: "from the hub", recorded: "recorded here" } as const;

const COLUMNS = [
  { head: "Data set" },
  { head: "Environment" },
  { head: "Episodes", number: true },
  { head: "Steps or rows", number: true },
  { head: "Size", number: true },
  { head: "Source" },
  { head: "Actions", hidden: true },
] as const satisfies readonly ColumnHead[];

/** Size of a data set's files, in bytes. */
export const datasetBytes = ({ files }: KeptDataset): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** The stored data sets, with facts about each. */
export function DatasetTable({ datasets }: { readonly datasets: readonly KeptDataset[] }) {
  const needing = useNeedingRuns();
  return (
    <TableFrame label="Data sets table" columns={COLUMNS}>
      <tbody>
        {datasets.map((dataset) => (
          <DatasetRow key={dataset.sha256} dataset={dataset} needing={needing(dataset)} />
        ))}
      </tbody>
    </TableFrame>
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
      <td className="number">{formatBytes(datasetBytes(dataset))}</td>
      <td>
        {ORIGINS[origin]}, {formatAgo(added_at, now)}
      </td>
      <td className="data__actions">
        <DeleteDataset dataset={dataset} needing={needing} describedBy={id} />
      </td>
    </tr>
  );
}
