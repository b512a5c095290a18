import { useCallback, useEffect, useRef, useState } from "react";
import { FileButton } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { chosenFiles, droppedFiles, type PickedFiles, useFolderDrop } from "../../lib/droppedFiles.ts";
import { addDataset, readDatasets, useDataShelf } from "../../state/dataShelf.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { DatasetTable } from "./DatasetTable.tsx";
import { HubPanel } from "./HubPanel.tsx";
import "./DataPage.css";

const CAUSE = "add a data set";

/** The data sets stored in this browser, and ways to add more. */
export function DataPage() {
  const workbench = useWorkbench();
  const datasets = useDataShelf((shelf) => shelf.datasets);
  const adding = useDataShelf((shelf) => shelf.adding);
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
        <output className="panel__text data__said">{adding === null ? added : `Checking ${adding}…`}</output>
        {datasets === null && <SkeletonView label="Loading data sets…" rows={3} />}
        {datasets?.length === 0 && (
          <p className="empty">
            Drop a Minari folder, an HDF5 file, or features.csv and targets.csv here to train agents offline.
            The data stays in this browser.
          </p>
        )}
        {datasets !== null && datasets.length > 0 && <DatasetTable datasets={datasets} />}
      </Panel>
      <HubPanel />
    </div>
  );
}
