import type { EditorState, ManifestSource } from "./editorStore.ts";

/** The editor's content, which survives a page reload in the same tab. */
export interface Draft {
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
export const readDraft = (): Draft | null => read(() => sessionStorage.getItem(KEY));

/** The most recently changed text in this browser; null if there is none. */
export const readLastDraft = (): Draft | null => readDraft() ?? read(() => localStorage.getItem(LAST_KEY));

function read(find: () => string | null): Draft | null {
  try {
    const stored: unknown = JSON.parse(find() ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { source, original, text }: Partial<Record<keyof Draft, unknown>> = stored;
    if (!isSource(source) || typeof original !== "string" || typeof text !== "string") return null;
    return { source, original, text };
  } catch {
    return null;
  }
}

/** Stores the text so that it survives a reload. */
export function writeDraft({ source, original, text }: EditorState): void {
  try {
    if (source === null) return;
    const draft = JSON.stringify({ source, original, text } satisfies Draft);
    sessionStorage.setItem(KEY, draft);
    if (text !== original) localStorage.setItem(LAST_KEY, draft);
  } catch {
    // Storage may be blocked or full; the text is then lost on a reload.
  }
}
