import { useWorkbenchState } from "../state/WorkbenchContext.ts";

const reload = (): void => window.location.reload();

/** An error banner, shown after the coordinator is lost. */
export function LossBanner() {
  const loss = useWorkbenchState((state) => state.loss);
  if (loss === null) return null;
  return (
    <div className="shell__banner" role="alert">
      <div className="callout callout--error">
        <p>
          {loss}
          {"\n"}Your saved data is safe. Reload the page; you can then resume a run that was training from its
          last checkpoint.
        </p>
        <button type="button" className="button" onClick={reload}>
          Reload
        </button>
      </div>
    </div>
  );
}
