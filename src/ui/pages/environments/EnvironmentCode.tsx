import { DeleteButton } from "../../components/buttons.tsx";
import { ownManifest } from "../../ownEnvironment/starter.ts";
import { navigate, navigateLater } from "../../routes/navigation.ts";
import { editorRoute, environmentsRoute } from "../../routes/route.ts";
import { readKeptEnvironments } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { dropDraft, type EnvironmentDraft, editDraft, NEW } from "./drafts.ts";
import { saveDraft } from "./saveDraft.ts";
import { ShareEnvironmentButton } from "./share/ShareEnvironmentButton.tsx";
import { LazyCodeEditor } from "./text/LazyCodeEditor.tsx";

interface Props {
  readonly kept: string;
  readonly draft: EnvironmentDraft;
}

/** The code and its name, with buttons to save, share, delete and train. */
export function EnvironmentCode({ kept, draft }: Props) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const isNew = kept === NEW;
  const changed = isNew || draft.text !== draft.original || draft.name !== kept;

  const save = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const { name } = await saveDraft(coordinator, kept, draft);
      navigate(environmentsRoute(name));
    }, "environment");
  const train = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const saved = changed ? await saveDraft(coordinator, kept, draft) : { id: `user/${kept}` };
      // Loads the editor's code only when it is needed.
      const { openDraft } = await import("../editor/openInEditor.ts");
      openDraft(ownManifest(saved));
      navigate(editorRoute({ kind: "draft" }));
    }, "environment");
  const remove = (): Promise<boolean> => {
    const leave = navigateLater();
    return workbench.attempt(async () => {
      await coordinator.deleteEnvironment(kept);
      dropDraft(kept);
      await readKeptEnvironments(coordinator);
      leave(environmentsRoute());
    }, "environment");
  };

  return (
    <section className="panel environments__code" aria-label="Code">
      <div className="panel__head">
        <label className="environments__name">
          <span>user/</span>
          <input
            className="field"
            aria-label="Name"
            value={draft.name}
            spellCheck={false}
            maxLength={64}
            onChange={(event) => editDraft(kept, { name: event.currentTarget.value })}
          />
        </label>
        <button
          type="button"
          className="button button--small"
          aria-disabled={!changed}
          onClick={() => changed && void save()}
        >
          Save
        </button>
        <ShareEnvironmentButton draft={draft} />
        {!isNew && <DeleteButton onDelete={() => void remove()} />}
        <button
          type="button"
          className="button button--primary button--small"
          title="Saves the environment and opens a manifest that trains in it"
          onClick={() => void train()}
        >
          Train
        </button>
      </div>
      <LazyCodeEditor
        label="Environment code"
        text={draft.text}
        onChange={(text) => editDraft(kept, { text })}
      />
    </section>
  );
}
