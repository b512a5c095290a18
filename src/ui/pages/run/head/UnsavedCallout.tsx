import type { RunSummary, Unsaved } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { formatCount } from "../../../lib/format.ts";
import { saveFile } from "../../../lib/saveFile.ts";
import { formatRoute } from "../../../routes/route.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

interface Props {
  readonly summary: RunSummary;
  readonly unsaved: Unsaved;
}

/** Says, while saving the run fails, what would be lost and what to do. */
export function UnsavedCallout({ summary, unsaved }: Props) {
  const workbench = useWorkbench();
  const { id, state, generation } = summary;
  const { since, full, reason } = unsaved;
  const download = (): Promise<boolean> =>
    workbench.attempt(async () => saveFile(await workbench.coordinator.downloadElite(id)), `elite ${id}`);
  const kept = since - 1;
  return (
    <div className="callout callout--error" role="alert">
      <p>
        <strong>
          Nothing is saved since generation {formatCount(since)}:{" "}
          {full ? "the browser's storage is full." : "writing to the browser's storage fails."}
        </strong>{" "}
        {state === "running" && "Training continues. "}
        If this tab is closed,{" "}
        {kept > 0
          ? `the run resumes from generation ${formatCount(kept)}.`
          : "the run starts from the beginning."}{" "}
        {full ? "Delete runs, checkpoints or data sets to make room." : reason} Saving is tried again every 10
        s.
      </p>
      <a className="button" href={formatRoute({ page: "storage" })}>
        Make room
      </a>
      {generation > 0 && <Button onClick={() => void download()}>Download elite</Button>}
    </div>
  );
}
