import { X } from "lucide-react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { NameForm } from "./NameForm.tsx";

/** Adds and removes tags of runs. */
export function TagEditor({ runs }: { readonly runs: readonly RunSummary[] }) {
  const workbench = useWorkbench();
  const present = [...new Set(runs.flatMap(({ tags }) => tags))].sort();
  const change = (next: (tags: readonly string[]) => readonly string[]): Promise<boolean> =>
    workbench.attempt(async () => {
      await Promise.all(runs.map(({ id, tags }) => workbench.coordinator.setTags(id, next(tags))));
      await workbench.refresh();
    }, "tags");
  return (
    <div className="view-picker">
      {present.length > 0 && (
        <ul aria-label="Tags">
          {present.map((tag) => (
            <li key={tag}>
              <span>{tag}</span>
              <button
                type="button"
                className="button button--quiet button--small button--icon"
                aria-label={`Remove the tag ${tag}`}
                title="Remove"
                onClick={() => void change((tags) => tags.filter((other) => other !== tag))}
              >
                <X aria-hidden="true" />
              </button>
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
