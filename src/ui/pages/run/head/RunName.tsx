import { Pencil } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { PageHeading } from "../../../components/PageHeading.tsx";
import { useWorkbench } from "../../../state/Workbench.ts";

/** Maximum length of a name that can be entered. */
const MAX_LENGTH = 200;

/** The run's name, editable in place. */
export function RunName({ id, name }: { readonly id: string; readonly name: string }) {
  const workbench = useWorkbench();
  const [draft, setDraft] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const editing = draft !== null;
  useEffect(() => {
    if (editing) field.current?.select();
  }, [editing]);
  /** Returns the focus to the button that started the edit. */
  const close = (): void => {
    setDraft(null);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const next = draft?.trim() ?? "";
    close();
    if (next === "" || next === name) return;
    await workbench.attempt(async () => {
      await workbench.coordinator.rename(id, next);
      await workbench.refresh();
    });
  };
  return (
    <div className="run-name">
      <PageHeading title={name}>
        <span className={editing ? "visually-hidden" : "run-name__text"} title={name}>
          {name}
        </span>
      </PageHeading>
      {editing ? (
        <form onSubmit={(event) => void save(event)}>
          <input
            ref={field}
            className="field"
            aria-label="Name of the run"
            maxLength={MAX_LENGTH}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
            onBlur={(event) => void save(event)}
            onKeyDown={(event) => {
              if (event.key === "Escape") close();
            }}
          />
        </form>
      ) : (
        <button
          ref={pencil}
          type="button"
          className="button button--quiet button--small button--icon"
          aria-label="Rename"
          title="Rename"
          onClick={() => setDraft(name)}
        >
          <Pencil aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
