import { useCallback, useEffect, useId, useState } from "react";
import type { DatasetEpisode } from "../../../datasets/reading.ts";
import { type DatasetView, type KeptDataset, keptRowsPath } from "../../../workers/pages.ts";
import { Button, LinkButton } from "../../components/Button.tsx";
import { DistributionPanel } from "../../components/DistributionPanel.tsx";
import { Facts, fact } from "../../components/Facts.tsx";
import { MessagePage } from "../../components/MessagePage.tsx";
import { PageHead } from "../../components/PageHeading.tsx";
import { Panel } from "../../components/Panel.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { RowsPanel } from "../../languageModels/RowsPanel.tsx";
import { saveFile } from "../../lib/files.ts";
import { formatBytes, formatCount, formatScore, NONE } from "../../lib/format.ts";
import { numberNames } from "../../lib/numberNames.ts";
import { dataRoute } from "../../routes/route.ts";
import { dataCalls, readDatasets, useKeptData } from "../../state/keptData.ts";
import { useAnswer } from "../../state/useAnswer.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { goToDraft } from "../editor/goToDraft.ts";
import { datasetBytes } from "./DataPage.tsx";
import { DeleteDataset, useNeedingRuns } from "./DeleteDataset.tsx";
import { LearnButton } from "./LearnButton.tsx";
import { manifestForDataset } from "./manifestForDataset.ts";
import { VisitedPanel } from "./VisitedPanel.tsx";
import "./DataPage.css";

const PAGE = 25;
const ENDS = { terminated: "terminated", truncated: "truncated", open: "unfinished" } as const;

const COLUMNS: readonly Column<DatasetEpisode>[] = [
  { head: "Episode", cell: ({ id }) => id },
  { head: "Return", number: true, cell: (episode) => formatScore(episode.return) },
  { head: "Steps", number: true, cell: ({ steps }) => formatCount(steps) },
  { head: "End", cell: ({ end }) => ENDS[end] },
];

/** The episodes of a data set, one page at a time. */
function EpisodeTable({ episodes }: { readonly episodes: readonly DatasetEpisode[] }) {
  const [page, setPage] = useState(0);
  const first = page * PAGE;
  const shown = episodes.slice(first, first + PAGE);
  const last = first + shown.length;
  return (
    <Panel
      title="Episodes"
      head={
        <>
          <output className="quiet">
            {formatCount(Math.min(first + 1, last))} to {formatCount(last)} of {formatCount(episodes.length)}
          </output>
          <Button small aria-disabled={page === 0} onClick={() => setPage(Math.max(0, page - 1))}>
            Previous
          </Button>
          <Button
            small
            aria-disabled={last >= episodes.length}
            onClick={() => last < episodes.length && setPage(page + 1)}
          >
            Next
          </Button>
        </>
      }
    >
      <Table label="Episodes table" columns={COLUMNS} rows={shown} keyOf={({ id }) => id} />
    </Panel>
  );
}

/** One data set: its contents and actions. */
export function DatasetPage({ sha256 }: { readonly sha256: string }) {
  const workbench = useWorkbench();
  const datasets = useKeptData((state) => state.datasets);
  useEffect(() => {
    void workbench.attempt(readDatasets, "read data sets");
  }, [workbench]);
  const dataset = datasets?.find((one) => one.sha256 === sha256);
  if (datasets === null) return <SkeletonView label="Loading data set…" />;
  if (dataset === undefined)
    return (
      <MessagePage title="Data set not found">
        <p>It was deleted, or it is stored in another browser.</p>
        <LinkButton primary to={dataRoute()}>
          Go to data sets
        </LinkButton>
      </MessagePage>
    );
  return <Shown dataset={dataset} />;
}

function Shown({ dataset }: { readonly dataset: KeptDataset }) {
  const workbench = useWorkbench();
  const needing = useNeedingRuns();
  const { name, sha256, kind } = dataset;
  const heading = useId();
  const train = (): Promise<boolean> => workbench.attempt(() => goToDraft(manifestForDataset(dataset)));
  const save = (): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await dataCalls.archive(sha256)), `save ${sha256}`);
  return (
    <div className="page">
      <PageHead title={name} id={heading}>
        <Button primary onClick={() => void train()}>
          Train
        </Button>
        {kind === "episodes" && <LearnButton dataset={dataset} />}
        <Button onClick={() => void save()}>Download</Button>
        <DeleteDataset
          dataset={dataset}
          needing={needing(dataset)}
          describedBy={heading}
          next={dataRoute()}
        />
      </PageHead>
      {kind === "episodes" ? <Episodes dataset={dataset} /> : <Summary dataset={dataset} view={null} />}
      {kind === "rows" && <RowsOf dataset={dataset} />}
    </div>
  );
}

/** The rows as the model of the manifest reads them that *Train* opens. */
function RowsOf({ dataset }: { readonly dataset: KeptDataset }) {
  const [manifest] = useState(() => manifestForDataset(dataset));
  return <RowsPanel manifest={manifest} />;
}

function Episodes({ dataset }: { readonly dataset: KeptDataset }) {
  const { sha256 } = dataset;
  const read = useCallback(() => dataCalls.view(sha256), [sha256]);
  const { value: view, problem } = useAnswer(read);
  if (problem !== null) return <FailedView title="The data set could not be read">{problem}</FailedView>;
  if (view === undefined) return <SkeletonView label="Loading episodes…" />;
  const { observation_names, action_names: named } = numberNames(dataset.environment ?? "");
  return (
    <>
      <Summary dataset={dataset} view={view} />
      <div className="data__panels grid gap-4">
        <DistributionPanel title="Returns" things="episodes" histogram={view.returns} />
        <DistributionPanel title="Lengths" things="episodes" histogram={view.lengths} />
      </div>
      <ActedPanels acted={view.acted} names={named?.length === view.acted.length ? named : null} />
      <VisitedPanel space={view.visited} names={observation_names} />
      <EpisodeTable episodes={view.episodes} />
    </>
  );
}

/** Numbers of an action that are shown. */
const MOST_NUMBERS = 12;

interface ActedProps {
  readonly acted: DatasetView["acted"];
  /** Of the numbers; null if nobody says. */
  readonly names: readonly string[] | null;
}

/** How often actions were taken, for each of their numbers. */
function ActedPanels({ acted, names }: ActedProps) {
  if (acted.length === 0) return null;
  const titleOf = (at: number): string =>
    acted.length === 1 ? "Actions" : `Action ${at}${names?.[at] ? `, ${names[at]}` : ""}`;
  return (
    <div className="data__panels grid gap-4">
      {acted.slice(0, MOST_NUMBERS).map((histogram, at) => (
        // Numbers of an action are identified only by their position.
        <DistributionPanel key={at} title={titleOf(at)} things="sampled steps" histogram={histogram} />
      ))}
    </div>
  );
}

/** What a manifest says to train on a data set. */
const PATHS: Readonly<Record<KeptDataset["kind"], (dataset: KeptDataset) => string>> = {
  episodes: ({ name }) => `datasets/${name}`,
  table: ({ name }) => `datasets/${name}/features.csv`,
  rows: keptRowsPath,
};

/** Its points between the returns that the data set names as 0 and 100. */
const pointsOf = ({ normalised_return }: DatasetView): string =>
  normalised_return === null ? "" : `, ${formatScore(normalised_return)} of 100`;

interface SummaryProps {
  readonly dataset: KeptDataset;
  /** Null for tables. */
  readonly view: DatasetView | null;
}

function Summary({ dataset, view }: SummaryProps) {
  const { sha256, environment, rows, kind } = dataset;
  const facts: readonly (readonly [string, string])[] = view
    ? [
        ["Environment", environment ?? NONE],
        ["Episodes", formatCount(view.episodes.length)],
        ["Steps", formatCount(view.steps)],
        ["Mean return", `${formatScore(view.mean_return)}${pointsOf(view)}`],
        ["Observations", view.observation_space ?? "same as the environment"],
        ["Actions", view.action_space ?? "same as the environment"],
      ]
    : [["Rows", formatCount(rows)]];
  return (
    <section className="panel" aria-label="Summary">
      <Facts
        className="named data__facts panel__body"
        rows={[
          ...facts,
          ["Size", formatBytes(datasetBytes(dataset))],
          fact("Path in a manifest", <span className="mono">{PATHS[kind](dataset)}</span>),
          fact("SHA-256", <span className="mono">{sha256}</span>),
        ]}
      />
      {view?.description && <p className="data__description soft">{view.description}</p>}
      {view?.notices.map((notice) => (
        <p key={notice} className="callout data__notice breaks">
          {notice}
        </p>
      ))}
    </section>
  );
}
