import { useId } from "react";
import type { KeptModel } from "../../../workers/protocol.ts";
import { DeleteButton } from "../../components/buttons.tsx";
import { formatBytes } from "../../lib/format.ts";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";
import { readKeptModels } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** One model of the list. */
export function ModelRow({ model }: { readonly model: KeptModel }) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const name = useId();

  const train = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the editor's code only when it is needed.
      const { openManifestFor } = await import("./openManifestFor.ts");
      openManifestFor(model);
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
      <td className="number">{formatBytes(model.bytes)}</td>
      <td className="models__actions">
        <button
          type="button"
          className="button button--small"
          aria-describedby={name}
          title="Opens a manifest that trains an adapter for this model"
          onClick={() => void train()}
        >
          Train
        </button>
        <DeleteButton describedBy={name} onDelete={() => void remove()} />
      </td>
    </tr>
  );
}
