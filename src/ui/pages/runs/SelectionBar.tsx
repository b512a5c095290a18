import { Download, GitCompareArrows, Play, Tag, Trash2, X } from "lucide-react";
import { useId } from "react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { saveFile } from "../../lib/files.ts";
import { formatCount } from "../../lib/format.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { navigate } from "../../routes/navigation.ts";
import { compareRoute, LEAST_RUNS, MOST_RUNS } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { NameForm, PopoverButton } from "./PopoverForm.tsx";

/** Adds and removes tags of runs. */
function TagEditor({ runs }: { readonly runs: readonly RunSummary[] }) {
  const workbench = useWorkbench();
  const present = [...new Set(runs.flatMap(({ tags }) => tags))].sort();
  const change = (next: (tags: readonly string[]) => readonly string[]): Promise<boolean> =>
    workbench.attempt(async () => {
      await Promise.all(runs.map(({ id, tags }) => workbench.coordinator.setTags(id, next(tags))));
      await workbench.refresh();
    }, "tags");
  return (
    <div className="stack view-picker">
      {present.length > 0 && (
        <ul aria-label="Tags">
          {present.map((tag) => (
            <li key={tag}>
              <span>{tag}</span>
              <IconButton
                label={`Remove the tag ${tag}`}
                title="Remove"
                icon={X}
                onClick={() => void change((tags) => tags.filter((other) => other !== tag))}
              />
            </li>
          ))}
        </ul>
      )}
      <NameForm
        label="New tag"
        placeholder="New tag"
        maxLength={60}
        action="Add"
        onName={(tag) => void change((tags) => (tags.includes(tag) ? tags : [...tags, tag]))}
      />
    </div>
  );
}

interface Props {
  readonly runs: readonly RunSummary[];
  /** Called when the selection should be cleared. */
  readonly onDone: () => void;
}

/** Actions on the selected runs. */
export function SelectionBar({ runs, onDone }: Props) {
  const workbench = useWorkbench();
  const why = useId();
  const save = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Sequentially, because each run's archive is held in memory until it is saved.
      for (const { id } of runs) saveFile(await workbench.coordinator.exportRun(id));
    }, "export");
  const comparable = runs.length >= LEAST_RUNS && runs.length <= MOST_RUNS;
  const resumable = runs.filter(
    ({ state, waiting, can }) => can.edit && !waiting && state !== "running" && state !== "finished",
  );
  const resume = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Sequentially and oldest first: they train in this order, one at a time.
      for (const { id } of resumable.toReversed()) await workbench.coordinator.resumeLater(id);
      onDone();
    }, "resume");
  const compare = (): void => {
    if (comparable) navigate(compareRoute(runs.map(({ id }) => id)));
  };
  useShortcut("c", compare);
  useShortcut("e", () => void save());
  return (
    <div className="row runs__selection rule-below" role="toolbar" aria-label="Selected runs">
      <span>{formatCount(runs.length)} selected</span>
      <Button
        aria-disabled={!comparable}
        {...(!comparable && { "aria-describedby": why })}
        title="Compare the selected runs side by side"
        onClick={compare}
      >
        <GitCompareArrows aria-hidden="true" />
        Compare
      </Button>
      {!comparable && (
        <span id={why} className="small soft">
          Select {LEAST_RUNS} to {MOST_RUNS} runs to compare
        </span>
      )}
      {resumable.length > 0 && (
        <Button
          title="They train one after another, from where each was stopped"
          onClick={() => void resume()}
        >
          <Play aria-hidden="true" />
          {resumable.length === runs.length ? "Resume" : `Resume ${formatCount(resumable.length)}`}
        </Button>
      )}
      <PopoverButton icon={Tag} label="Tag">
        <TagEditor runs={runs} />
      </PopoverButton>
      <Button onClick={() => void save()}>
        <Download aria-hidden="true" />
        Export
      </Button>
      <Button
        onClick={() => {
          workbench.deletions.delete(runs);
          onDone();
        }}
      >
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <Button quiet onClick={onDone}>
        Clear
      </Button>
    </div>
  );
}
