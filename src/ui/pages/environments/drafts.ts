/** Texts of environments as they are being written, each until it is saved or the tab is closed. */

import { z } from "zod";
import { create } from "zustand";
import type { EnvironmentText } from "../../../workers/protocol.ts";
import { STARTER, STARTER_NAME } from "../../ownEnvironment/starter.ts";

const draftSchema = z.object({
  /** What it is to be kept as. */
  name: z.string(),
  /** As it was loaded or saved. */
  original: z.string(),
  text: z.string(),
});

export type EnvironmentDraft = Readonly<z.infer<typeof draftSchema>>;

/** Of one that is kept under no name yet. */
export const NEW = "";

const KEY = "rlkit.environments";

/** By the name that each is kept under. */
type Drafts = Readonly<Record<string, EnvironmentDraft>>;

function readDrafts(): Drafts {
  try {
    return z.record(z.string(), draftSchema).parse(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

export const useDrafts = create<{ readonly drafts: Drafts }>(() => ({ drafts: readDrafts() }));

const STARTING: EnvironmentDraft = { name: STARTER_NAME, original: STARTER, text: STARTER };

/** The draft of a kept environment, or of the new one; null for one whose text is not read yet. */
export const draftOf = (drafts: Drafts, kept: string): EnvironmentDraft | null =>
  drafts[kept] ?? (kept === NEW ? STARTING : null);

function put(kept: string, draft: EnvironmentDraft | null): void {
  const { [kept]: _, ...others } = useDrafts.getState().drafts;
  const drafts = draft === null ? others : { ...others, [kept]: draft };
  useDrafts.setState({ drafts });
  try {
    sessionStorage.setItem(KEY, JSON.stringify(drafts));
  } catch {
    // Storage may be blocked or full; texts then last as long as the page.
  }
}

/** Takes over what a person typed. */
export function editDraft(kept: string, change: Partial<Pick<EnvironmentDraft, "name" | "text">>): void {
  const draft = draftOf(useDrafts.getState().drafts, kept);
  if (draft !== null) put(kept, { ...draft, ...change });
}

/** Brings the text of a kept environment, unless it is being written already. */
export function loadDraft({ name, source }: EnvironmentText): void {
  const present = useDrafts.getState().drafts[name];
  if (present !== undefined && present.text !== present.original) return;
  put(name, { name, original: source, text: source });
}

/** The draft of `kept` is saved as this: what was new has a name now. */
export function savedDraft(kept: string, { name, source }: EnvironmentText): void {
  put(kept, null);
  put(name, { name, original: source, text: source });
}

export const dropDraft = (kept: string): void => put(kept, null);
