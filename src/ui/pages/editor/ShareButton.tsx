import { Link } from "lucide-react";
import { userEnvironmentName } from "../../../specs/sections.ts";
import type { Connection } from "../../client/Connection.ts";
import { Button } from "../../components/Button.tsx";
import { sharedEnvironment } from "../../ownEnvironment/environmentLink.ts";
import { editorRoute, formatRoute, type Route } from "../../routes/route.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { useEditor } from "./editorStore.ts";
import { valueAt } from "./form/formNodes.ts";
import { sharedManifest } from "./sharedManifest.ts";

/** The route of a link with a manifest and the code of its environment. */
async function routeWithCode(
  coordinator: Connection["coordinator"],
  name: string,
  manifest: string,
): Promise<Route> {
  const { source } = await coordinator.readEnvironment(name);
  return { page: "environments", name: null, shared: sharedEnvironment({ name, source, manifest }) };
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
