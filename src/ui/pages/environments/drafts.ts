/** Unsaved code of environments, each kept until it is saved or the tab is closed. */

import { z } from "zod";
import { create } from "zustand";
import type { EnvironmentText } from "../../../workers/protocol.ts";
import { parseStored, readStored, writeStored } from "../../lib/stored.ts";
import { STARTER, STARTER_NAME } from "../../ownEnvironment/starter.ts";

const draftSchema = z.object({
  /** The name to save it under. */
  name: z.string(),
  /** The code as loaded or last saved. */
  original: z.string(),
  text: z.string(),
});

export type EnvironmentDraft = Readonly<z.infer<typeof draftSchema>>;

/** The key of an environment that has not been saved yet. */
export const NEW = "";

const KEY = "rlkit.environments";

/** Drafts by the name that each environment is stored under. */
type Drafts = Readonly<Record<string, EnvironmentDraft>>;

const readDrafts = (): Drafts =>
  parseStored(
    readStored(KEY, "sessionStorage"),
    (value) => z.record(z.string(), draftSchema).parse(value),
    {},
  );

export const useDrafts = create<{ readonly drafts: Drafts }>(() => ({ drafts: readDrafts() }));

const STARTING: EnvironmentDraft = { name: STARTER_NAME, original: STARTER, text: STARTER };

/** The draft of a stored or new environment; null if its code has not been read yet. */
export const draftOf = (drafts: Drafts, kept: string): EnvironmentDraft | null =>
  drafts[kept] ?? (kept === NEW ? STARTING : null);

function put(kept: string, draft: EnvironmentDraft | null): void {
  const { [kept]: _, ...others } = useDrafts.getState().drafts;
  const drafts = draft === null ? others : { ...others, [kept]: draft };
  useDrafts.setState({ drafts });
  // Others are read again; a robot with its meshes would fill the storage.
  const changed = Object.entries(drafts).filter(
    ([key, { name, original, text }]) => text !== original || name !== key,
  );
  writeStored(KEY, JSON.stringify(Object.fromEntries(changed)), "sessionStorage");
}

/** Updates a draft with the user's input. */
export function editDraft(kept: string, change: Partial<Pick<EnvironmentDraft, "name" | "text">>): void {
  const draft = draftOf(useDrafts.getState().drafts, kept);
  if (draft !== null) put(kept, { ...draft, ...change });
}

/** Loads the code of a stored environment, unless its draft has unsaved changes. */
export function loadDraft({ name, source }: EnvironmentText): void {
  const present = useDrafts.getState().drafts[name];
  if (present !== undefined && present.text !== present.original) return;
  put(name, { name, original: source, text: source });
}

/** Replaces the draft of `kept` by the saved environment, which may have a new name. */
export function savedDraft(kept: string, { name, source }: EnvironmentText): void {
  put(kept, null);
  put(name, { name, original: source, text: source });
}

export const dropDraft = (kept: string): void => put(kept, null);
