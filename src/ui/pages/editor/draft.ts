import type { EditorState, ManifestSource } from "./editorStore.ts";

/** What outlives a reload of the page, in this tab. */
export interface Draft {
  readonly source: ManifestSource;
  readonly original: string;
  readonly text: string;
}

const KEY = "rlkit.draft";
/** Of any tab, and longer than a tab lasts. */
const LAST_KEY = "rlkit.lastDraft";

const isSource = (value: unknown): value is ManifestSource =>
  typeof value === "string" && /^(?:draft$|empty$|template:|run:|spec:)/.test(value);

/** The text that the editor had before the page was loaded again; null when there is none. */
export const readDraft = (): Draft | null => read(() => sessionStorage.getItem(KEY));

/** The text that somebody changed last in this browser; null when there is none. */
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

/** Keeps the text for a reload. */
export function writeDraft({ source, original, text }: EditorState): void {
  try {
    if (source === null) return;
    const draft = JSON.stringify({ source, original, text } satisfies Draft);
    sessionStorage.setItem(KEY, draft);
    if (text !== original) localStorage.setItem(LAST_KEY, draft);
  } catch {
    // Storage may be blocked or full; the text then lasts as long as the page.
  }
}
