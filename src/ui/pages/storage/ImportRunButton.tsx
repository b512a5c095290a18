import { useState } from "react";
import { FileButton } from "../../components/Button.tsx";
import { navigate } from "../../routes/navigation.ts";
import { runRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Larger archives do not fit in memory together with their unpacked files. */
const MAX_BYTES = 2_000_000_000;

/** Imports an exported run. The whole archive is checked before the run appears. */
export function ImportRunButton() {
  const workbench = useWorkbench();
  const [busy, setBusy] = useState(false);

  const open = async (file: File): Promise<void> => {
    setBusy(true);
    await workbench.attempt(async () => {
      if (file.size > MAX_BYTES)
        throw new Error(
          `${file.name} was not imported: it is larger than 2 GB, the limit for run archives. Choose an archive that this page exported.`,
        );
      const id = await workbench.coordinator.importRun(new Uint8Array(await file.arrayBuffer()));
      await workbench.refresh();
      navigate(runRoute(id));
    }, "import");
    setBusy(false);
  };

  return (
    <FileButton
      label="Import run"
      input="Run archive"
      accept=".zip,application/zip"
      busy={busy}
      onFiles={([file]) => {
        if (file !== undefined) void open(file);
      }}
    />
  );
}
