import { templates, wholeTemplate } from "../../../manifests/templates.ts";
import { manifestFormat } from "../../../manifests/text.ts";
import { alternatives } from "../../../specs/messages.ts";
import type { Connection } from "../../client/Connection.ts";
import { parseStored, readStored, writeStored } from "../../lib/stored.ts";
import { ownManifest, STARTER, STARTER_NAME } from "../../ownEnvironment/starter.ts";
import type { EditorSource, ManifestFormat } from "../../routes/route.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../state/kept.ts";
import { readManifest } from "./document/ManifestDocument.ts";
import { convertManifest, manifestText } from "./document/writeManifest.ts";
import { type EditorState, editText, loadText, type ManifestSource, useEditor } from "./editorStore.ts";
import { readSharedManifest } from "./sharedManifest.ts";

/** The editor's content, which survives a page reload in the same tab. */
interface Draft {
  readonly source: ManifestSource;
  readonly original: string;
  readonly text: string;
}

const KEY = "rlkit.draft";
/** Shared by all tabs, and kept after a tab is closed. */
const LAST_KEY = "rlkit.lastDraft";

const isSource = (value: unknown): value is ManifestSource =>
  typeof value === "string" && /^(?:draft$|empty$|template:|run:|spec:)/.test(value);

/** The editor's content from before a reload; null if there is none. */
const readDraft = (): Draft | null => parseStored(readStored(KEY, "sessionStorage"), draftIn, null);

/** The most recently changed text in this browser; null if there is none. */
export const readLastDraft = (): Draft | null =>
  readDraft() ?? parseStored(readStored(LAST_KEY), draftIn, null);

function draftIn(stored: unknown): Draft | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { source, original, text }: Partial<Record<keyof Draft, unknown>> = stored;
  if (!isSource(source) || typeof original !== "string" || typeof text !== "string") return null;
  return { source, original, text };
}

/** Stores the text so that it survives a reload. */
export function writeDraft({ source, original, text }: EditorState): void {
  if (source === null) return;
  const draft = JSON.stringify({ source, original, text } satisfies Draft);
  writeStored(KEY, draft, "sessionStorage");
  if (text !== original) writeStored(LAST_KEY, draft);
}

/** The gallery's entry besides the templates: training in a user-written environment. */

/** Its id in a route. */
export const OWN_TASK = "own-cartpole";

/**
 * Saves the starter code, unless an environment of its name exists, and returns a manifest that trains in it.
 */
async function ownTaskManifest(coordinator: Connection["coordinator"]) {
  const { environments } = useKeptEnvironments.getState();
  if (environments?.every(({ name }) => name !== STARTER_NAME) ?? true) {
    await coordinator.saveEnvironment(STARTER_NAME, STARTER);
    await readKeptEnvironments(coordinator);
  }
  return ownManifest({ id: `user/${STARTER_NAME}` });
}

const FIRST_MANIFEST = `# A run: the algorithm, the environment, and how long to train.
# The form and this text edit the same manifest.
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

/** The editor's source for a source in a route. */
export function sourceOf(source: EditorSource): ManifestSource {
  switch (source.kind) {
    case "template":
    case "run":
      return `${source.kind}:${source.id}`;
    case "spec":
      return `spec:${source.text}`;
    case "draft":
    case "empty":
      return source.kind;
  }
}

async function textOf(
  source: EditorSource,
  format: ManifestFormat,
  coordinator: Connection["coordinator"],
): Promise<string> {
  switch (source.kind) {
    case "template": {
      if (source.id === OWN_TASK) return manifestText(await ownTaskManifest(coordinator), format);
      const found = templates.find(({ id }) => id === source.id);
      if (found !== undefined)
        return manifestText({ apiVersion: "agilerl.com/v1", ...wholeTemplate(found) }, format);
      const names = templates.map(({ id }) => id);
      const others = alternatives("template", source.id, { names, listed: "the page New run" });
      throw new Error(`There is no template "${source.id}"${others}.`);
    }
    case "run":
      return manifestText((await coordinator.snapshot(source.id)).manifest, format);
    case "spec":
      return inFormat(readSharedManifest(source.text), format);
    case "draft":
    case "empty":
      return inFormat(FIRST_MANIFEST, format);
  }
}

function inFormat(text: string, format: ManifestFormat): string {
  const read = readManifest(text);
  return read.ok && manifestFormat(text) !== format ? convertManifest(read.manifest, format) : text;
}

/**
 * Loads the text for a route's source into the editor. A text already loaded from this source, also before a
 * reload, is kept with its changes.
 *
 * @throws Error if the template or run does not exist, or a shared manifest cannot be read
 */
export async function openSource(
  asked: EditorSource,
  format: ManifestFormat,
  coordinator: Connection["coordinator"],
): Promise<void> {
  const source = sourceOf(asked);
  const { source: present, text } = useEditor.getState();
  // An imported text counts as a draft, as does any text already present when the route asks for a draft.
  if (present === source || (source === "draft" && text !== "")) return;
  const draft = source === "draft" ? readLastDraft() : readDraft();
  if (present === null && draft !== null && (draft.source === source || source === "draft")) {
    loadText(draft.original, draft.source, manifestFormat(draft.text));
    editText(draft.text);
    return;
  }
  loadText(await textOf(asked, format, coordinator), source, format);
}
