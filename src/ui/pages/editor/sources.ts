import { manifestFormat } from "../../../specs/manifest/manifestFormat.ts";
import { templates } from "../../../specs/templates/templates.ts";
import type { Connection } from "../../client/Connection.ts";
import type { ManifestFormat, Route } from "../../routes/route.ts";
import { readManifest } from "./document/ManifestDocument.ts";
import { convertManifest, manifestText } from "./document/writeManifest.ts";
import { readDraft } from "./draft.ts";
import { editText, loadText, type ManifestSource, useEditor } from "./editorStore.ts";

type EditorRoute = Extract<Route, { page: "editor" }>;

const STARTER = `# A run: what learns, where, and for how long.
# The form writes this text, and this text fills the form.
apiVersion: agilerl.com/v1
algorithm:
  name: DQN
environment:
  name: CartPole-v1
  num_envs: 16
training:
  hpo: true
  max_steps: 60_000
  evo_steps: 4_000
`;

/** The source that an address asks for. */
export function sourceOf(route: EditorRoute): ManifestSource {
  if (route.template !== null) return `template:${route.template}`;
  return route.run === null ? "draft" : `run:${route.run}`;
}

async function textOf(route: EditorRoute, coordinator: Connection["coordinator"]): Promise<string> {
  const { template, run, format } = route;
  if (template !== null) {
    const found = templates.find(({ id }) => id === template);
    if (found !== undefined) return manifestText({ apiVersion: "agilerl.com/v1", ...found.manifest }, format);
    const names = templates.map(({ id }) => id).join(", ");
    throw new Error(`There is no template "${template}"; there are ${names}.`);
  }
  if (run !== null) return manifestText((await coordinator.snapshot(run)).manifest, format);
  return inFormat(STARTER, format);
}

function inFormat(text: string, format: ManifestFormat): string {
  const read = readManifest(text);
  return read.ok && manifestFormat(text) !== format ? convertManifest(read.manifest, format) : text;
}

/**
 * Brings the text that an address asks for into the editor. One that is already there, or that was left there
 * before a reload, is kept with its changes.
 *
 * @throws Error when the template or run does not exist
 */
export async function openSource(route: EditorRoute, coordinator: Connection["coordinator"]): Promise<void> {
  const source = sourceOf(route);
  const { source: present, text } = useEditor.getState();
  // An imported text is a draft, and so is whatever else is there when no source is asked for.
  if (present === source || (source === "draft" && text !== "")) return;
  const draft = readDraft();
  if (present === null && draft !== null && (draft.source === source || source === "draft")) {
    loadText(draft.original, draft.source, manifestFormat(draft.text));
    editText(draft.text);
    return;
  }
  const loaded = await textOf(route, coordinator);
  loadText(loaded, source, route.format);
}
