import { useCallback, useEffect, useRef, useState } from "react";
import type { KeptModel } from "../../../workers/protocol.ts";
import { Button, FileButton } from "../../components/Button.tsx";
import { DeleteButton } from "../../components/controls.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Table } from "../../components/Table.tsx";
import { chosenFolder, droppedFolder, type PickedFiles, useFolderDrop } from "../../lib/files.ts";
import { formatBytes } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { readKeptModels, useKeptModels } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { goToDraft } from "../editor/goToDraft.ts";

function ModelTable({ models }: { readonly models: readonly KeptModel[] }) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const train = ({ path }: KeptModel): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads templates only when they are needed.
      const { manifestForModel } = await import("../../languageModels/modelManifest.ts");
      await goToDraft(manifestForModel(path));
    });
  const remove = ({ name }: KeptModel): Promise<boolean> =>
    workbench.attempt(async () => {
      await coordinator.deleteModel(name);
      await readKeptModels(coordinator);
    });
  return (
    <Table
      columns={[
        { head: "Model", cell: ({ name }) => name },
        { head: "Path in a manifest", cell: ({ path }) => <code>{path}</code> },
        {
          head: "Size",
          number: true,
          cell: ({ bytes, incomplete }) =>
            `${formatBytes(bytes)}${incomplete ? " of a download that is not complete" : ""}`,
        },
        {
          head: "Actions",
          hidden: true,
          classOf: () => "actions",
          cell: (model, _, name) => (
            <>
              <Button
                small
                aria-describedby={name}
                title="Opens a manifest that trains an adapter for this model"
                onClick={() => void train(model)}
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
              <DeleteButton describedBy={name} onDelete={() => void remove(model)} />
            </>
          ),
        },
      ]}
      rows={models}
      keyOf={({ name }) => name}
    />
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
        <ModelTable models={models} />
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
