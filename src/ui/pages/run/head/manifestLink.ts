import { formatRoute } from "../../../routes/route.ts";
import { exportManifest } from "../../editor/exportManifest.ts";
import { sharedManifest } from "../../editor/share/sharedManifest.ts";

/** The address of an editor with a manifest in it. @throws SpecError where it is not valid */
export const manifestLink = (manifest: unknown): string =>
  formatRoute({
    page: "editor",
    source: { kind: "spec", text: sharedManifest(exportManifest(manifest, "yaml").text) },
    format: "yaml",
  });
