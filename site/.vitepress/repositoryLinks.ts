import path from "node:path";
import type { MarkdownRenderer } from "vitepress";

/**
 * Links of pages as the site needs them: a folder's README is its index, and what leads out of docs, to files of the
 * repository, is text.
 */
export function repositoryLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    const folder = path.posix.dirname(String(env.relativePath ?? ""));
    for (const { children } of tokens) {
      let isText = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = token.attrGet("href") ?? "";
          const isRelative = !/^(?:[a-z]+:|[/#])/i.test(href);
          isText = isRelative && path.posix.join(folder, href).startsWith("..");
          if (isText) token.attrs = null;
          else if (isRelative) token.attrSet("href", href.replace(/(^|\/)README\.md/, "$1index.md"));
        }
        if (isText && token.type.startsWith("link_")) token.tag = "span";
      }
    }
  });
}
