import { formatRoute } from "../../../routes/route.ts";
import { exportManifest } from "../../editor/exportManifest.ts";
import { sharedManifest } from "../../editor/sharedManifest.ts";

/** The URL hash that opens the editor with a manifest. @throws SpecError if the manifest is not valid */
export const manifestLink = (manifest: unknown): string =>
  formatRoute({
    page: "editor",
    source: { kind: "spec", text: sharedManifest(exportManifest(manifest, "yaml").text) },
    format: "yaml",
  });
