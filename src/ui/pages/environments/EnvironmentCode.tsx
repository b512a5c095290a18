import { isRobot } from "../../../sandbox/environments.ts";
import type { EnvironmentText } from "../../../workers/protocol.ts";
import type { Connection } from "../../client/Connection.ts";
import { Button } from "../../components/Button.tsx";
import { DeleteButton, TextField } from "../../components/controls.tsx";
import { sharedEnvironment } from "../../ownEnvironment/environmentLink.ts";
import { SourceEditor } from "../../ownEnvironment/SourceEditor.tsx";
import { ownManifest, robotManifest } from "../../ownEnvironment/starter.ts";
import { navigate, navigateLater } from "../../routes/navigation.ts";
import { environmentsRoute, formatRoute, ownEnvironmentRoute } from "../../routes/route.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { goToDraft } from "../editor/goToDraft.ts";
import { dropDraft, type EnvironmentDraft, editDraft, NEW, savedDraft } from "./drafts.ts";

/**
 * Saves a draft under its name.
 *
 * @param kept the name that it has been stored under
 * @throws Error if the name is not valid or belongs to another environment
 */
async function saveDraft(
  coordinator: Connection["coordinator"],
  kept: string,
  { name, text }: EnvironmentDraft,
): Promise<EnvironmentText> {
  await readKeptEnvironments(coordinator);
  const { environments } = useKeptEnvironments.getState();
  if (name !== kept && environments?.some((other) => other.name === name))
    throw new Error(`name: found "${name}", which another environment already uses; choose another name.`);
  const saved = await coordinator.saveEnvironment(name, text);
  savedDraft(kept, saved);
  await readKeptEnvironments(coordinator);
  return saved;
}

/** Copies a link that contains the code itself; nothing is uploaded. */
function ShareEnvironmentButton({ draft: { name, text } }: { readonly draft: EnvironmentDraft }) {
  const workbench = useWorkbench();
  const share = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const shared = sharedEnvironment({ name, source: text });
      const hash = formatRoute({ ...environmentsRoute, shared });
      await navigator.clipboard.writeText(new URL(hash, window.location.href).href);
      workbench.toasts.show({ tone: "info", message: "Link copied. It contains the code itself." });
    }, "share");
  return (
    <Button quiet small onClick={() => void share()}>
      Copy link
    </Button>
  );
}

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
      navigate(ownEnvironmentRoute(name));
    }, "environment");
  const train = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const saved = changed ? await saveDraft(coordinator, kept, draft) : { id: `user/${kept}` };
      await goToDraft(isRobot(draft.text) ? robotManifest(saved) : ownManifest(saved));
    }, "environment");
  const remove = (): Promise<boolean> => {
    const leave = navigateLater();
    return workbench.attempt(async () => {
      await coordinator.deleteEnvironment(kept);
      dropDraft(kept);
      await readKeptEnvironments(coordinator);
      leave(environmentsRoute);
    }, "environment");
  };

  return (
    <section className="panel fill environments__code" aria-label="Code">
      <div className="row panel__head">
        <label className="environments__name inline">
          <span>user/</span>
          <TextField
            aria-label="Name"
            value={draft.name}
            spellCheck={false}
            maxLength={64}
            onChange={(name) => editDraft(kept, { name })}
          />
        </label>
        <Button small aria-disabled={!changed} onClick={() => changed && void save()}>
          Save
        </Button>
        <ShareEnvironmentButton draft={draft} />
        {!isNew && <DeleteButton onDelete={() => void remove()} />}
        <Button
          primary
          small
          title="Saves the environment and opens a manifest that trains in it"
          onClick={() => void train()}
        >
          Train
        </Button>
      </div>
      <SourceEditor
        label="Environment code"
        source={draft.text}
        onChange={(text) => editDraft(kept, { text })}
      />
    </section>
  );
}
