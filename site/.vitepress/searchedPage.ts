import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

/** What the search finds of a page of the API reference: its names and what is said of them, without code and lists of links. */
const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, "").replace(/^(?:Names|Guides|Also in|It also exports).*$/gm, "");

/**
 * A page as the search reads it. Colours of code are left out, which take most of the time, and the names of its languages,
 * which would be part of its first words.
 */
export function searchedPage(text: string, env: MarkdownEnv, markdown: MarkdownRenderer): string {
  const { highlight } = markdown.options;
  markdown.options.highlight = null;
  try {
    const html = markdown.render(env.relativePath.startsWith("api/") ? withoutCode(text) : text, env);
    return html.replaceAll(/<span class="lang">[^<]*<\/span>/g, "").replaceAll("</text>", "</text> ");
  } finally {
    markdown.options.highlight = highlight;
  }
}
