import { useWorkbench, useWorkbenchState } from "../state/WorkbenchContext.ts";

const reload = (): void => window.location.reload();

/** What went wrong: a lost coordinator first, then failed actions, until they are dismissed. */
export function Alerts() {
  const workbench = useWorkbench();
  const loss = useWorkbenchState((state) => state.loss);
  const alerts = useWorkbenchState((state) => state.alerts);
  return (
    <div className="alerts" role="alert">
      {loss !== null && (
        <div className="callout callout--error">
          <p>
            {loss}
            {"\n"}Nothing that was saved is lost. Reload the page; a run that was training can then be
            continued from its last checkpoint.
          </p>
          <button type="button" className="button" onClick={reload}>
            Reload
          </button>
        </div>
      )}
      {loss === null &&
        alerts.map(({ id, message }) => (
          <div key={id} className="callout callout--error">
            <p>{message}</p>
            <button type="button" className="button button--quiet" onClick={() => workbench.dismiss(id)}>
              Dismiss
            </button>
          </div>
        ))}
    </div>
  );
}
