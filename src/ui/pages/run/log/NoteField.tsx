import { useState } from "react";
import { useWorkbench } from "../../../state/Workbench.ts";

/** Maximum length of a note. */
const MAX_LENGTH = 4000;

/** The user's note on a run, stored with the run. */
export function NoteField({ id, note }: { readonly id: string; readonly note: string }) {
  const workbench = useWorkbench();
  const [draft, setDraft] = useState(note);
  const [saved, setSaved] = useState(note);
  const save = async (): Promise<void> => {
    const done = await workbench.attempt(() => workbench.coordinator.setNote(id, draft));
    if (done) setSaved(draft);
  };
  const same = draft === saved;
  return (
    <section className="panel note" aria-label="Note">
      <div className="panel__head">
        <h2>Note</h2>
        <button
          type="button"
          className="button button--small"
          aria-disabled={same}
          onClick={() => void save()}
        >
          {same && draft !== "" ? "Saved" : "Save"}
        </button>
      </div>
      <textarea
        className="field note__field"
        aria-label="Note on this run"
        placeholder="Purpose and results of this run"
        rows={3}
        maxLength={MAX_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
    </section>
  );
}
