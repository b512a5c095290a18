import { useRef, useState } from "react";
import { navigate } from "../../routes/navigation.ts";
import { runRoute } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** Larger archives do not fit in memory together with their unpacked files. */
const MAX_BYTES = 2_000_000_000;

/** Imports an exported run. The whole archive is checked before the run appears. */
export function ImportRunButton() {
  const workbench = useWorkbench();
  const input = useRef<HTMLInputElement>(null);
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
    <>
      <button
        type="button"
        className="button"
        aria-disabled={busy}
        aria-busy={busy}
        onClick={() => {
          if (!busy) input.current?.click();
        }}
      >
        Import run
      </button>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        aria-label="Run archive"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // Lets the user choose the same file again.
          event.currentTarget.value = "";
          if (file !== undefined) void open(file);
        }}
      />
    </>
  );
}
