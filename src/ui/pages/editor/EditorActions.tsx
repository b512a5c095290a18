import { Link } from "lucide-react";
import { useState } from "react";
import { userEnvironmentName } from "../../../specs/sections.ts";
import type { Connection } from "../../client/Connection.ts";
import { Button } from "../../components/Button.tsx";
import { Select } from "../../components/controls.tsx";
import { sharedEnvironment } from "../../ownEnvironment/environmentLink.ts";
import { navigate } from "../../routes/navigation.ts";
import {
  editorRoute,
  environmentsRoute,
  formatRoute,
  type ManifestFormat,
  type Route,
  runRoute,
} from "../../routes/route.ts";
import { useRemotePlatform } from "../../state/remotePlatform.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { useEditor } from "./editorStore.ts";
import { valueAt } from "./form/formNodes.ts";
import { type RunChoices, RunOption } from "./RunOptions.tsx";
import { sharedManifest } from "./sharedManifest.ts";
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

/** The route of a link with a manifest and the code of its environment. */
async function routeWithCode(
  coordinator: Connection["coordinator"],
  name: string,
  manifest: string,
): Promise<Route> {
  const { source } = await coordinator.readEnvironment(name);
  return { ...environmentsRoute, shared: sharedEnvironment({ name, source, manifest }) };
}

/** Copies a link that contains the manifest itself; nothing is uploaded. */
export function ShareButton() {
  const workbench = useWorkbench();
  const share = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const { text, format, shown } = useEditor.getState();
      const own = userEnvironmentName(valueAt(shown.values, ["environment", "name"]));
      const route =
        own === null
          ? editorRoute({ kind: "spec", text: sharedManifest(text) }, format)
          : await routeWithCode(workbench.coordinator, own, text);
      await navigator.clipboard.writeText(new URL(formatRoute(route), window.location.href).href);
      const what = own === null ? "the manifest itself" : "the manifest and its environment's code";
      workbench.toasts.show({
        tone: "info",
        message: `Link copied. It contains ${what}, but no seed, device or keys.`,
      });
    }, "share");
  return (
    <Button onClick={() => void share()}>
      <Link aria-hidden="true" />
      Copy link
    </Button>
  );
}

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
