import { useCallback, useEffect, useRef, useState } from "react";
import { readKeptModels, useKeptModels } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { ModelRow } from "./ModelRow.tsx";
import { chosenFolder, droppedFolder, type PickedFolder } from "./pickedFolder.ts";
import { useFolderDrop } from "./useFolderDrop.ts";
import "./Models.css";

/** The language models stored in this browser, and inputs to choose or drop another model folder. */
export function Models() {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const models = useKeptModels((state) => state.models);
  const panel = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [checking, setChecking] = useState<string | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);

  useEffect(() => {
    void workbench.attempt(() => readKeptModels(coordinator));
  }, [workbench, coordinator]);

  const add = useCallback(
    async (pick: Promise<PickedFolder | null>): Promise<void> => {
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
    <section
      ref={panel}
      className={isOver ? "panel models models--over" : "panel models"}
      aria-label="Models"
    >
      <div className="panel__head">
        <h2>Models</h2>
        <button
          type="button"
          className="button button--small"
          aria-disabled={checking !== null}
          aria-busy={checking !== null}
          onClick={() => {
            if (checking === null) input.current?.click();
          }}
        >
          Add folder
        </button>
        <input
          ref={(element) => {
            input.current = element;
            // React does not support this attribute on inputs.
            if (element !== null) element.webkitdirectory = true;
          }}
          type="file"
          aria-label="Model folder"
          hidden
          onChange={({ currentTarget }) => {
            const folder = chosenFolder(currentTarget.files ?? []);
            // Lets the user choose the same folder again after a correction.
            currentTarget.value = "";
            void add(Promise.resolve(folder));
          }}
        />
      </div>
      {checking !== null && <p className="empty loading">Checking {checking}…</p>}
      {warnings.map((warning) => (
        <p key={warning} className="callout models__warning">
          {warning}
        </p>
      ))}
      {models !== null && models.length > 0 ? (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Path in a manifest</th>
                <th scope="col" className="number">
                  Size
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <ModelRow key={model.name} model={model} />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        checking === null && (
          <p className="empty">
            Drop the folder of a Llama, Qwen2 or GPT-2 model here (config.json, safetensors and tokenizer
            files). It stays in this browser.
          </p>
        )
      )}
    </section>
  );
}
