import { useCallback, useEffect, useId, useRef, useState } from "react";
import type { KeptModel } from "../../../workers/protocol.ts";
import { Button, FileButton } from "../../components/Button.tsx";
import { DeleteButton } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { type ColumnHead, TableFrame } from "../../components/Table.tsx";
import { chosenFolder, droppedFolder, type PickedFiles, useFolderDrop } from "../../lib/files.ts";
import { formatBytes } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";
import { readKeptModels, useKeptModels } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";

const COLUMNS = [
  { head: "Model" },
  { head: "Path in a manifest" },
  { head: "Size", number: true },
  { head: "Actions", hidden: true },
] as const satisfies readonly ColumnHead[];

/** One model of the list. */
function ModelRow({ model }: { readonly model: KeptModel }) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const name = useId();

  const train = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the editor's code only when it is needed.
      const { openManifestForModel } = await import("../editor/openInEditor.ts");
      openManifestForModel(model);
      navigate(editorRoute({ kind: "draft" }));
    });
  const remove = (): Promise<boolean> =>
    workbench.attempt(async () => {
      await coordinator.deleteModel(model.name);
      await readKeptModels(coordinator);
    });

  return (
    <tr>
      <th scope="row" id={name}>
        {model.name}
      </th>
      <td>
        <code>{model.path}</code>
      </td>
      <td className="number">
        {formatBytes(model.bytes)}
        {model.incomplete && " of a download that is not complete"}
      </td>
      <td className="actions">
        <Button
          small
          aria-describedby={name}
          title="Opens a manifest that trains an adapter for this model"
          onClick={() => void train()}
        >
          Train
        </Button>
        <Button
          small
          aria-describedby={name}
          title="Opens a conversation with this model"
          onClick={() => navigate({ page: "chat", model: model.path })}
        >
          Chat
        </Button>
        <DeleteButton describedBy={name} onDelete={() => void remove()} />
      </td>
    </tr>
  );
}

/** The language models stored in this browser, and inputs to choose or drop another model folder. */
export function Models() {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const models = useKeptModels((state) => state.models);
  const panel = useRef<HTMLElement>(null);
  const [checking, setChecking] = useState<string | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);

  useEffect(() => {
    void workbench.attempt(() => readKeptModels(coordinator));
  }, [workbench, coordinator]);

  const add = useCallback(
    async (pick: Promise<PickedFiles | null>): Promise<void> => {
      await workbench.attempt(async () => {
        const folder = await pick;
        if (folder === null) return;
        setChecking(folder.name);
        const added = await coordinator.addModel(folder.name, folder.files);
        setWarnings(added.warnings);
        await readKeptModels(coordinator);
      });
      setChecking(null);
    },
    [workbench, coordinator],
  );
  const drop = useCallback((items: DataTransferItemList) => void add(droppedFolder(items)), [add]);
  const isOver = useFolderDrop(panel, drop);

  return (
    <Panel
      title="Models"
      className={isOver ? "panel--over" : undefined}
      ref={panel}
      head={
        <FileButton
          label="Add folder"
          input="Model folder"
          folder
          small
          busy={checking !== null}
          onFiles={(files) => void add(Promise.resolve(chosenFolder(files)))}
        />
      }
    >
      {checking !== null && <p className="empty loading dim">Checking {checking}…</p>}
      {warnings.map((warning) => (
        <p key={warning} className="callout models__warning">
          {warning}
        </p>
      ))}
      {models !== null && models.length > 0 ? (
        <TableFrame columns={COLUMNS}>
          <tbody>
            {models.map((model) => (
              <ModelRow key={model.name} model={model} />
            ))}
          </tbody>
        </TableFrame>
      ) : (
        checking === null && (
          <p className="empty">
            Drop the folder of a Llama, Mistral, Qwen, SmolLM3, Gemma, OLMo 2, Phi or GPT-2 model here
            (config.json, safetensors and tokenizer files). It stays in this browser.
          </p>
        )
      )}
    </Panel>
  );
}
