import { memo, useId, useState } from "react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { StateBadge } from "../../components/StateBadge.tsx";
import { formatAgo, formatBytes, formatCount, formatScore, formatShort } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { formatRoute, runRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/WorkbenchContext.ts";

interface Props {
  readonly run: RunSummary;
  /** The present, in milliseconds since the epoch. */
  readonly now: number;
}

/** One run of the list. Deleting asks once more, in place. */
export const RunRow = memo(function RunRow({ run, now }: Props) {
  const workbench = useWorkbench();
  const [asking, setAsking] = useState(false);
  const name = useId();

  const resume = (): Promise<boolean> =>
    workbench.attempt(async () => {
      await workbench.coordinator.resume(run.id);
      navigate(runRoute(run.id));
    });
  const remove = (): Promise<boolean> =>
    workbench.attempt(async () => {
      await workbench.coordinator.deleteRun(run.id);
      await workbench.refresh();
    });

  return (
    <tr>
      <th scope="row">
        <a id={name} href={formatRoute(runRoute(run.id))}>
          {run.name}
        </a>
        <span className="run-list__what">
          {run.algorithm} · {run.environment}
        </span>
      </th>
      <td>
        <StateBadge state={run.state} />
      </td>
      <td className="number">{formatScore(run.best_fitness)}</td>
      <td className="number">{formatCount(run.generation)}</td>
      <td className="number">{formatShort(run.global_step)}</td>
      <td>{formatAgo(run.updated_at, now)}</td>
      <td className="number">{formatBytes(run.bytes)}</td>
      <td className="run-list__actions">
        {(run.state === "interrupted" || run.state === "paused") && (
          <button
            type="button"
            className="button button--small"
            aria-describedby={name}
            onClick={() => void resume()}
          >
            Resume
          </button>
        )}
        {asking ? (
          <>
            <button
              type="button"
              className="button button--small run-list__delete"
              aria-describedby={name}
              onClick={() => void remove()}
            >
              Delete for good
            </button>
            <button type="button" className="button button--small" onClick={() => setAsking(false)}>
              Keep
            </button>
          </>
        ) : (
          <button
            type="button"
            className="button button--quiet button--small"
            aria-describedby={name}
            onClick={() => setAsking(true)}
          >
            Delete
          </button>
        )}
      </td>
    </tr>
  );
});
