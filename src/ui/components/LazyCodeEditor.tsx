import { loadable } from "../lib/loadable.tsx";

/** The code editor, loaded lazily: its library is larger than the rest of its page. */
export const LazyCodeEditor = loadable(
  async () => (await import("./CodeEditor.tsx")).CodeEditor,
  <p className="loading dim">Loading the text editor…</p>,
);
