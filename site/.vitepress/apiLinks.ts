import type { MarkdownRenderer } from "vitepress";
import { spokenName } from "../../scripts/api/mentions.ts";

type Token = Parameters<MarkdownRenderer["renderer"]["render"]>[0][number];

/** Leads from the first code span of a page that speaks of an exported name to its description. */
export function apiLinks(markdown: MarkdownRenderer, addresses: ReadonlyMap<string, string>): void {
  markdown.core.ruler.push("api-links", ({ tokens, env, Token }) => {
    const page = String(env.relativePath ?? "");
    // Its pages have links of their own.
    if (page.startsWith("api/")) return;
    const seen = new Set<string>();
    for (const [at, { type, children }] of tokens.entries()) {
      if (type !== "inline" || !children || tokens[at - 1]?.type === "heading_open") continue;
      let isLink = false;
      const linked: Token[] = [];
      for (const token of children) {
        if (token.type.startsWith("link_")) isLink = token.type === "link_open";
        const name =
          token.type === "code_inline" ? spokenName(token.content, page === "kernels.md") : undefined;
        const address = addresses.get(name ?? "");
        if (isLink || name === undefined || address === undefined || seen.has(name)) linked.push(token);
        else {
          seen.add(name);
          const open = new Token("link_open", "a", 1);
          open.attrSet("href", address);
          linked.push(open, token, new Token("link_close", "a", -1));
        }
      }
      children.splice(0, children.length, ...linked);
    }
  });
}
