import { useState } from "react";
import { Button } from "../../components/Button.tsx";
import { navigate } from "../../routes/navigation.ts";
import { runRoute } from "../../routes/route.ts";
import { useRemotePlatform } from "../../state/remotePlatform.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { type RunChoices, RunOption } from "./RunOptions.tsx";
import { submitRun } from "./startRun.ts";

/** Key of the error message of a failed submission. */
const SUBMIT = "submit";

/**
 * Submits the editor's manifest to the connected platform. Renders nothing without a platform or a key that
 * may submit.
 */
export function RemoteStart({ choices }: { readonly choices: RunChoices }) {
  const workbench = useWorkbench();
  const platform = useRemotePlatform((state) => state.platform);
  const [machines, setMachines] = useState("");
  const [busy, setBusy] = useState(false);
  if (!platform?.user.scopes.some((scope) => scope === "submit" || scope === "admin")) return null;
  const submit = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await workbench.attempt(async () => navigate(runRoute(await submitRun(choices, machines))), SUBMIT);
    setBusy(false);
  };
  return (
    <>
      <div className="row quiet run-options">
        <RunOption
          label="Machines"
          className="run-options__machines"
          value={machines}
          placeholder="any"
          inputMode="numeric"
          title="Number of machines to spread the population over (num_nodes); leave empty to let the platform choose"
          onChange={setMachines}
        />
      </div>
      <Button
        title={`Submits the run to ${platform.address}`}
        aria-disabled={busy}
        onClick={() => void submit()}
      >
        Train remotely
      </Button>
    </>
  );
}
