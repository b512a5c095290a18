import { useEffect, useId, useState } from "react";
import type { DatasetView, KeptDataset } from "../../../workers/pages.ts";
import { Button } from "../../components/Button.tsx";
import { MessagePage } from "../../components/MessagePage.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { formatBytes, formatCount, formatScore, messageOf, NONE } from "../../lib/format.ts";
import { saveFile } from "../../lib/saveFile.ts";
import { navigate } from "../../routes/navigation.ts";
import { dataRoute, editorRoute, formatRoute } from "../../routes/route.ts";
import { dataCalls, readDatasets, useDataShelf } from "../../state/dataShelf.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { DeleteDataset, useNeedingRuns } from "./DeleteDataset.tsx";
import { DistributionPanel } from "./DistributionPanel.tsx";
import { EpisodeTable } from "./EpisodeTable.tsx";
import { VisitedPanel } from "./VisitedPanel.tsx";
import "./DataPage.css";
import "./DatasetPage.css";

type ShownView =
  | { readonly state: "reading" }
  | { readonly state: "read"; readonly view: DatasetView }
  | { readonly state: "failed"; readonly problem: string };

/**
 * The contents of a stored data set, read by a worker. For another data set, mount a new component (set a
 * `key`).
 */
function useDatasetView(sha256: string): ShownView {
  const [shown, setShown] = useState<ShownView>({ state: "reading" });
  useEffect(() => {
    let wanted = true;
    dataCalls.view(sha256).then(
      (view) => wanted && setShown({ state: "read", view }),
      (error: unknown) => wanted && setShown({ state: "failed", problem: messageOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [sha256]);
  return shown;
}

/** One data set: its contents and actions. */
export function DatasetPage({ sha256 }: { readonly sha256: string }) {
  const workbench = useWorkbench();
  const datasets = useDataShelf((shelf) => shelf.datasets);
  useEffect(() => {
    void workbench.attempt(readDatasets, "read data sets");
  }, [workbench]);
  const dataset = datasets?.find((one) => one.sha256 === sha256);
  if (datasets === null) return <SkeletonView label="Loading data set…" />;
  if (dataset === undefined)
    return (
      <MessagePage title="Data set not found">
        <p>It was deleted, or it is stored in another browser.</p>
        <a className="button button--primary" href={formatRoute(dataRoute())}>
          Go to data sets
        </a>
      </MessagePage>
    );
  return <Shown dataset={dataset} />;
}

function Shown({ dataset }: { readonly dataset: KeptDataset }) {
  const workbench = useWorkbench();
  const needing = useNeedingRuns();
  const { name, sha256, kind } = dataset;
  const heading = useId();
  const train = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the editor's code only when it is needed.
      const { openManifestForDataset } = await import("../editor/openInEditor.ts");
      openManifestForDataset(dataset);
      navigate(editorRoute({ kind: "draft" }));
    });
  const save = (): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await dataCalls.archive(sha256)), `save ${sha256}`);
  return (
    <div className="page">
      <PageHead title={name} id={heading}>
        <Button primary onClick={() => void train()}>
          Train
        </Button>
        <Button onClick={() => void save()}>Download</Button>
        <DeleteDataset
          dataset={dataset}
          needing={needing(dataset)}
          describedBy={heading}
          next={dataRoute()}
        />
      </PageHead>
      {kind === "episodes" ? <Episodes dataset={dataset} /> : <Facts dataset={dataset} view={null} />}
    </div>
  );
}

function Episodes({ dataset }: { readonly dataset: KeptDataset }) {
  const shown = useDatasetView(dataset.sha256);
  if (shown.state === "reading") return <SkeletonView label="Loading episodes…" />;
  if (shown.state === "failed")
    return <FailedView title="The data set could not be read">{shown.problem}</FailedView>;
  const { view } = shown;
  return (
    <>
      <Facts dataset={dataset} view={view} />
      <div className="data__panels">
        <DistributionPanel title="Returns" things="episodes" histogram={view.returns} />
        <DistributionPanel title="Lengths" things="episodes" histogram={view.lengths} />
      </div>
      <VisitedPanel space={view.visited} />
      <EpisodeTable episodes={view.episodes} />
    </>
  );
}

interface FactsProps {
  readonly dataset: KeptDataset;
  /** Null for tables. */
  readonly view: DatasetView | null;
}

function Facts({ dataset, view }: FactsProps) {
  const { name, sha256, environment, rows, files } = dataset;
  const facts: readonly (readonly [string, string])[] = view
    ? [
        ["Environment", environment ?? NONE],
        ["Episodes", formatCount(view.episodes.length)],
        ["Steps", formatCount(view.steps)],
        ["Mean return", formatScore(view.mean_return)],
        ["Observations", view.observation_space ?? "same as the environment"],
        ["Actions", view.action_space ?? "same as the environment"],
      ]
    : [["Rows", formatCount(rows)]];
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <section className="panel" aria-label="Summary">
      <dl className="data__facts">
        {[...facts, ["Size", formatBytes(bytes)] as const].map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Path in a manifest</dt>
          <dd className="mono">{view ? `datasets/${name}` : `datasets/${name}/features.csv`}</dd>
        </div>
        <div>
          <dt>SHA-256</dt>
          <dd className="mono">{sha256}</dd>
        </div>
      </dl>
      {view?.description && <p className="data__description">{view.description}</p>}
      {view?.notices.map((notice) => (
        <p key={notice} className="callout data__notice">
          {notice}
        </p>
      ))}
    </section>
  );
}
