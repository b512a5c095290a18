import { useEffect, useState } from "react";
import type { RemoteMachines, RemotePlatform } from "../../../workers/pages.ts";
import type { RunSummary } from "../../../workers/protocol.ts";
import { LinkButton } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { fixedColumns } from "../../components/runColumns.tsx";
import { LinkNote } from "../../components/runState.tsx";
import { Table } from "../../components/Table.tsx";
import { EmptyView, FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { messageOf } from "../../lib/format.ts";
import { editorRoute } from "../../routes/route.ts";
import { remoteCalls, remoteRuns, tellSilence, useRemotePlatform } from "../../state/remotePlatform.ts";
import "./RemotePage.css";

/** The columns of the list of runs that a platform's summaries fill. */
const COLUMNS = fixedColumns.filter(({ id }) =>
  ["name", "state", "best", "generation", "steps", "age"].includes(id),
);

interface Props {
  /** Null until the runs are read. */
  readonly runs: readonly RunSummary[] | null;
  /** When the runs were read, in milliseconds since the epoch. */
  readonly readAt: number;
  /** Why the runs could not be read; null if there is no problem. */
  readonly problem: string | null;
  readonly title?: string;
}

/** The runs of the chosen project, in the platform's order. */
export function RemoteRunsPanel({ runs, readAt, problem, title = "Runs" }: Props) {
  const newRun = <LinkButton to={editorRoute()}>New run</LinkButton>;
  return (
    <Panel title={title} label="Platform runs" head={<>{runs !== null && runs.length > 0 && newRun}</>}>
      {runs === null && problem === null && <SkeletonView label="Loading runs…" rows={3} />}
      {runs === null && problem !== null && (
        <FailedView title="The runs could not be read">{problem}</FailedView>
      )}
      {runs?.length === 0 && (
        <EmptyView
          title="No runs in this project yet"
          action={newRun}
          guide={["remote.html", "About remote runs"]}
        >
          <p>Create a new run, then select Train remotely.</p>
        </EmptyView>
      )}
      {runs !== null && runs.length > 0 && (
        <Table
          label="Platform runs table"
          columns={COLUMNS.map(({ label, numeric, cell }) => ({
            head: label,
            number: numeric,
            cell: (run: RunSummary) => cell(run, readAt),
          }))}
          rows={runs}
          keyOf={({ id }) => id}
        />
      )}
    </Panel>
  );
}

/** The platform's latest answer. */
interface RemoteNews {
  readonly machines: RemoteMachines | null;
  readonly runs: readonly RunSummary[] | null;
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly readAt: number;
  /** Why the latest request failed; null if it succeeded. */
  readonly problem: string | null;
}

const NOTHING_YET: RemoteNews = { machines: null, runs: null, readAt: 0, problem: null };

/**
 * Milliseconds between an answer and the next request. Polling is needed because a platform sends events only
 * for single runs.
 */
const PAUSE = 3000;

/** Polls the platform for its machines and a project's runs while a component shows them. */
export function useRemoteNews(project: string): RemoteNews {
  const [{ of, news }, setNews] = useState({ of: project, news: NOTHING_YET });
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    const change = (next: (before: RemoteNews) => RemoteNews): void =>
      setNews((old) => ({ of: project, news: next(old.of === project ? old.news : NOTHING_YET) }));
    const ask = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      try {
        const calls = remoteCalls();
        const [machines, runs] = await Promise.all([calls.machines(), calls.listRuns(project)]);
        if (!wanted) return;
        setNews({ of: project, news: { machines, runs, readAt: Date.now(), problem: null } });
        tellSilence(null);
      } catch (error) {
        if (!wanted) return;
        const problem = messageOf(error);
        change((before) => ({ ...before, problem }));
        tellSilence(problem);
      } finally {
        asking = false;
      }
      if (wanted) timer = setTimeout(askIfSeen, PAUSE);
    };
    const askIfSeen = (): void => {
      clearTimeout(timer);
      if (!document.hidden) void ask();
    };
    void ask();
    document.addEventListener("visibilitychange", askIfSeen);
    const end = remoteRuns.onEvent((event) => {
      if (event.kind !== "state") return;
      const { run, state } = event;
      const withState = (one: RunSummary) => (one.id === run ? { ...one, state } : one);
      change((before) => ({ ...before, runs: before.runs?.map(withState) ?? null }));
    });
    return () => {
      wanted = false;
      clearTimeout(timer);
      end();
      document.removeEventListener("visibilitychange", askIfSeen);
    };
  }, [project]);
  return of === project ? news : NOTHING_YET;
}

/** The runs of the connected platform's chosen project, for the page of runs. */
export function PlatformRuns({ platform: { address } }: { readonly platform: RemotePlatform }) {
  const project = useRemotePlatform((state) => state.project);
  const { runs, readAt, problem } = useRemoteNews(project);
  return (
    <>
      <LinkNote />
      <RemoteRunsPanel
        title={`Project ${project} on ${address}`}
        runs={runs}
        readAt={readAt}
        problem={problem}
      />
    </>
  );
}
