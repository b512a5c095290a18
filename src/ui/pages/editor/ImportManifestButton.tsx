import { useRef } from "react";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/WorkbenchContext.ts";

/** Opens a manifest file in the editor; a file that is no manifest at all becomes an alert. */
export function ImportManifestButton() {
  const workbench = useWorkbench();
  const input = useRef<HTMLInputElement>(null);

  const open = (file: File): Promise<boolean> =>
    workbench.attempt(async () => {
      // The editor's code is loaded only when somebody edits.
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
          // The same file may be chosen again after a correction.
          event.currentTarget.value = "";
          if (file !== undefined) void open(file);
        }}
      />
    </>
  );
}
