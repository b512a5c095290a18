import { Download, GitCompareArrows, Tag, Trash2 } from "lucide-react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { PopoverButton } from "../../components/PopoverButton.tsx";
import { formatCount } from "../../lib/format.ts";
import { saveFile } from "../../lib/saveFile.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { navigate } from "../../routes/navigation.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { MOST_RUNS } from "../compare/runColour.ts";
import { TagEditor } from "./TagEditor.tsx";

interface Props {
  readonly runs: readonly RunSummary[];
  /** Called when the selection should be cleared. */
  readonly onDone: () => void;
}

/** Actions on the selected runs. */
export function SelectionBar({ runs, onDone }: Props) {
  const workbench = useWorkbench();
  const save = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Sequentially, because each run's archive is held in memory until it is saved.
      for (const { id } of runs) saveFile(await workbench.coordinator.exportRun(id));
    }, "export");
  const comparable = runs.length >= 2 && runs.length <= MOST_RUNS;
  const compare = (): void => {
    if (comparable) navigate({ page: "compare", runs: runs.map(({ id }) => id) });
  };
  useShortcut("c", compare);
  useShortcut("e", () => void save());
  return (
    <div className="runs__selection" role="toolbar" aria-label="Selected runs">
      <span>{formatCount(runs.length)} selected</span>
      <button
        type="button"
        className="button"
        aria-disabled={!comparable}
        title={
          comparable ? "Compare the selected runs side by side" : `Select 2 to ${MOST_RUNS} runs to compare`
        }
        onClick={compare}
      >
        <GitCompareArrows aria-hidden="true" />
        Compare
      </button>
      <PopoverButton icon={Tag} label="Tag">
        <TagEditor runs={runs} />
      </PopoverButton>
      <button type="button" className="button" onClick={() => void save()}>
        <Download aria-hidden="true" />
        Export
      </button>
      <button
        type="button"
        className="button"
        onClick={() => {
          workbench.deletions.delete(runs);
          onDone();
        }}
      >
        <Trash2 aria-hidden="true" />
        Delete
      </button>
      <button type="button" className="button button--quiet" onClick={onDone}>
        Clear
      </button>
    </div>
  );
}
