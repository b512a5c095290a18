import { useCallback, useEffect, useRef, useState } from "react";
import type { KeptDataset } from "../../../workers/pages.ts";
import { FileButton } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Table } from "../../components/Table.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { chosenFiles, droppedFiles, type PickedFiles, useFolderDrop } from "../../lib/files.ts";
import { formatAgo, formatBytes, formatCount, NONE } from "../../lib/format.ts";
import { useNow } from "../../lib/updateClock.ts";
import { navigate } from "../../routes/navigation.ts";
import { dataRoute, formatRoute } from "../../routes/route.ts";
import { addDataset, makeSample, readDatasets, useKeptData } from "../../state/keptData.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { DeleteDataset, useNeedingRuns } from "./DeleteDataset.tsx";
import { HubPanel } from "./HubPanel.tsx";
import { SamplesPanel } from "./SamplesPanel.tsx";
import "./DataPage.css";

const ORIGINS = {
  added: "added here",
  fetched: "from the hub",
  recorded: "recorded here",
  made: "made here",
} as const;

const KINDS = { table: "bandit table", rows: "text" } as const;

/** Size of a data set's files, in bytes. */
export const datasetBytes = ({ files }: KeptDataset): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** The stored data sets, with facts about each. */
function DatasetTable({ datasets }: { readonly datasets: readonly KeptDataset[] }) {
  const needing = useNeedingRuns();
  const now = useNow();
  return (
    <Table
      label="Data sets table"
      columns={[
        { head: "Data set", cell: ({ name, sha256 }) => <a href={formatRoute(dataRoute(sha256))}>{name}</a> },
        {
          head: "Environment",
          cell: ({ kind, environment }) => (kind === "episodes" ? (environment ?? NONE) : KINDS[kind]),
        },
        {
          head: "Episodes",
          number: true,
          cell: ({ episodes }) => (episodes === null ? NONE : formatCount(episodes)),
        },
        { head: "Steps or rows", number: true, cell: ({ rows }) => formatCount(rows) },
        { head: "Size", number: true, cell: (dataset) => formatBytes(datasetBytes(dataset)) },
        { head: "Source", cell: ({ origin, added_at }) => `${ORIGINS[origin]}, ${formatAgo(added_at, now)}` },
        {
          head: "Actions",
          hidden: true,
          classOf: () => "actions",
          cell: (dataset, _, name) => (
            <DeleteDataset dataset={dataset} needing={needing(dataset)} describedBy={name} />
          ),
        },
      ]}
      rows={datasets}
      keyOf={({ sha256 }) => sha256}
    />
  );
}

const CAUSE = "add a data set";

/** The data sets stored in this browser, and ways to add more. */
export function DataPage() {
  const workbench = useWorkbench();
  const datasets = useKeptData((state) => state.datasets);
  const adding = useKeptData((state) => state.adding);
  const [added, setAdded] = useState("");
  const page = useRef<HTMLDivElement>(null);

  useEffect(() => {
    void workbench.attempt(readDatasets, "read data sets");
  }, [workbench]);

  const add = useCallback(
    (pick: PickedFiles | null | Promise<PickedFiles | null>) =>
      workbench.attempt(async () => {
        const files = await pick;
        if (files === null) return;
        setAdded("");
        const { name } = await addDataset(files.name, files.files);
        setAdded(`${name} was added.`);
      }, CAUSE),
    [workbench],
  );
  const drop = useCallback((items: DataTransferItemList) => void add(droppedFiles(items)), [add]);
  const isOver = useFolderDrop(page, drop);

  return (
    <div className="page" ref={page}>
      <PageHead title="Data">
        <FileButton
          label="Add folder"
          input="Data set folder"
          folder
          multiple
          busy={adding !== null}
          onFiles={(files) => void add(chosenFiles(files))}
        />
        <FileButton
          label="Add files"
          input="Data set files"
          multiple
          busy={adding !== null}
          onFiles={(files) => void add(chosenFiles(files))}
        />
      </PageHead>
      <Panel title="Data sets" className={isOver ? "panel--over" : undefined}>
        <output className="panel__text data__said block">
          {adding === null ? added : `Checking ${adding}…`}
        </output>
        {datasets === null && <SkeletonView label="Loading data sets…" rows={3} />}
        {datasets?.length === 0 && (
          <p className="empty">
            Drop a Minari folder, an HDF5 file, a CSV file of steps, features.csv and targets.csv, or
            rows.jsonl here to train on them, or make one of the samples below. The data stays in this
            browser.
          </p>
        )}
        {datasets !== null && datasets.length > 0 && <DatasetTable datasets={datasets} />}
      </Panel>
      <SamplesPanel
        busy={adding !== null}
        onMake={(id) =>
          void workbench.attempt(async () => navigate(dataRoute((await makeSample(id)).sha256)), CAUSE)
        }
      />
      <HubPanel />
    </div>
  );
}
