import type { EditorState, ManifestSource } from "./editorStore.ts";

/** What outlives a reload of the page, in this tab. */
export interface Draft {
  readonly source: ManifestSource;
  readonly original: string;
  readonly text: string;
}

const KEY = "rlkit.draft";

const isSource = (value: unknown): value is ManifestSource =>
  typeof value === "string" && /^(?:draft$|template:|run:)/.test(value);

/** The text that the editor had before the page was loaded again; null when there is none. */
export function readDraft(): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
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
    if (source !== null)
      sessionStorage.setItem(KEY, JSON.stringify({ source, original, text } satisfies Draft));
  } catch {
    // Storage may be blocked or full; the text then lasts as long as the page.
  }
}
