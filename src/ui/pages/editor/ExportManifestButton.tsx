import { useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Select } from "../../components/controls.tsx";
import type { ManifestFormat } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";

interface Props {
  /** Name of the run, from which the file name derives. */
  readonly name: string;
  /** Returns the manifest, as text or as an object. */
  readonly manifest: () => unknown;
}

/** Downloads a manifest as YAML or JSON. */
export function ExportManifestButton({ name, manifest }: Props) {
  const workbench = useWorkbench();
  const [format, setFormat] = useState<ManifestFormat>("yaml");
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const save = (): Promise<boolean> =>
    workbench.attempt(async () => {
      // Loads the YAML writer only when it is needed.
      const { saveManifest } = await import("./exportManifest.ts");
      setWarnings(saveManifest(name, manifest(), format));
    });
  return (
    <span className="joined">
      <Button onClick={() => void save()}>Export manifest</Button>
      <Select
        aria-label="Format"
        value={format}
        options={[
          ["yaml", "YAML"],
          ["json", "JSON"],
        ]}
        onChange={(value) => setFormat(value === "json" ? "json" : "yaml")}
      />
      <span aria-live="polite">
        {warnings.length > 0 && `Exported with warnings: ${warnings.join("; ")}.`}
      </span>
    </span>
  );
}
