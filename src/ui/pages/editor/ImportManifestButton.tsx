import { FileButton } from "../../components/Button.tsx";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Opens a manifest file in the editor; a file that is not a manifest shows an alert. */
export function ImportManifestButton() {
  const workbench = useWorkbench();
  const open = (file: File): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the editor's code only when it is needed.
      const { importManifest } = await import("./openInEditor.ts");
      const format = await importManifest(file);
      navigate(editorRoute({ kind: "draft" }, format));
    });
  return (
    <FileButton
      label="Import manifest"
      input="Manifest file"
      accept=".yaml,.yml,.json,application/json,application/yaml,text/yaml"
      onFiles={([file]) => {
        if (file !== undefined) void open(file);
      }}
    />
  );
}
