import { useEffect, useMemo, useState } from "react";
import { useWorkbench, useWorkbenchState } from "../../state/WorkbenchContext.ts";
import { RunRow } from "./RunRow.tsx";

/** Rows that a page draws without being asked: more of them make it slow to open. */
const FIRST_ROWS = 200;

/** The runs kept in this browser, newest first; the older ones of many on request. */
export function RunList() {
  const workbench = useWorkbench();
  const { runs, readAt, problem } = useWorkbenchState((state) => state.list);
  const [showsAll, setShowsAll] = useState(false);
  const newestFirst = useMemo(() => [...(runs ?? [])].sort((a, b) => b.created_at - a.created_at), [runs]);
  const shown = showsAll ? newestFirst : newestFirst.slice(0, FIRST_ROWS);
  useEffect(() => {
    void workbench.refresh();
  }, [workbench]);
  return (
    <section className="panel" aria-label="Runs">
      <div className="panel__head">
        <h2>Runs</h2>
        {runs !== null && runs.length > 0 && <span className="run-list__count">{runs.length}</span>}
      </div>
      {problem !== null && (
        <div className="callout callout--error run-list__problem">
          <p>The runs could not be read: {problem}</p>
          <button type="button" className="button" onClick={() => void workbench.refresh()}>
            Try again
          </button>
        </div>
      )}
      {runs === null && problem === null && <p className="empty loading">Looking for earlier runs …</p>}
      {runs?.length === 0 && (
        <p className="empty">No runs yet. What you train is kept in this browser and listed here.</p>
      )}
      {runs !== null && runs.length > 0 && (
        <div className="table-scroll">
          <table className="table run-list">
            <thead>
              <tr>
                <th scope="col">Run</th>
                <th scope="col">State</th>
                <th scope="col" className="number">
                  Best fitness
                </th>
                <th scope="col" className="number">
                  Generation
                </th>
                <th scope="col" className="number">
                  Steps
                </th>
                <th scope="col">Changed</th>
                <th scope="col" className="number">
                  Size
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((run) => (
                <RunRow key={run.id} run={run} now={readAt} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < newestFirst.length && (
        <div className="run-list__more">
          <p>The newest {shown.length} are shown.</p>
          <button type="button" className="button" onClick={() => setShowsAll(true)}>
            Show all {newestFirst.length} runs
          </button>
        </div>
      )}
    </section>
  );
}
