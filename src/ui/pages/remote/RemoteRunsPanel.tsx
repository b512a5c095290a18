import type { RunSummary } from "../../../workers/protocol.ts";
import { fixedColumns } from "../../components/runColumns.tsx";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { EmptyView, FailedView, SkeletonView } from "../../components/ViewState.tsx";
import { editorRoute, formatRoute } from "../../routes/route.ts";

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
  const newRun = (
    <a className="button" href={formatRoute(editorRoute())}>
      New run
    </a>
  );
  return (
    <section className="panel" aria-label="Platform runs">
      <div className="panel__head">
        <h2>{title}</h2>
        {runs !== null && runs.length > 0 && newRun}
      </div>
      {runs === null && problem === null && <SkeletonView label="Loading runs…" rows={3} />}
      {runs === null && problem !== null && (
        <FailedView title="The runs could not be read">{problem}</FailedView>
      )}
      {runs?.length === 0 && (
        <EmptyView title="No runs in this project yet" action={newRun}>
          <p>Create a new run, then select Train remotely.</p>
        </EmptyView>
      )}
      {runs !== null && runs.length > 0 && (
        <ScrollRegion label="Platform runs table">
          <table className="table remote__runs">
            <thead>
              <tr>
                {COLUMNS.map(({ id, label, numeric }) => (
                  <th key={id} scope="col" className={numeric ? "number" : undefined}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.id}>
                  {COLUMNS.map(({ id, numeric, cell }) =>
                    id === "name" ? (
                      <th key={id} scope="row">
                        {cell(run, readAt)}
                      </th>
                    ) : (
                      <td key={id} className={numeric ? "number" : undefined}>
                        {cell(run, readAt)}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
