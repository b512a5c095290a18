import type { MarkdownRenderer } from "vitepress";

/** Leaves out the marks between which scripts write tables; without HTML they would be shown as text. */
export function marks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after("normalize", "marks", (state) => {
    state.src = state.src.replaceAll(/^<!-- .* -->$/gm, "");
  });
}
