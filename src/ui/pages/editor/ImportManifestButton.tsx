import { useRef } from "react";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Opens a manifest file in the editor; a file that is not a manifest shows an alert. */
export function ImportManifestButton() {
  const workbench = useWorkbench();
  const input = useRef<HTMLInputElement>(null);

  const open = (file: File): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the editor's code only when it is needed.
      const { importManifest } = await import("./importManifest.ts");
      const format = await importManifest(file);
      navigate(editorRoute({ kind: "draft" }, format));
    });

  return (
    <>
      <button type="button" className="button" onClick={() => input.current?.click()}>
        Import manifest
      </button>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json,application/json,application/yaml,text/yaml"
        aria-label="Manifest file"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Lets the user choose the same file again after a correction.
          event.currentTarget.value = "";
          if (file !== undefined) void open(file);
        }}
      />
    </>
  );
}
