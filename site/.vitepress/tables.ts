import type { MarkdownRenderer } from "vitepress";

/**
 * Tables: empty cells of the first row become data cells, because a header must have a name; a bar such as ">= 4" stays in
 * one line; a long name in code may be broken behind its parts, or it would leave its neighbours no room.
 */
export function tables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("tables", ({ tokens }) => {
    tokens.forEach((token, at) => {
      const cell = tokens[at + 1];
      if (!/^t[hd]_open$/.test(token.type) || !cell) return;
      for (const part of cell.children ?? []) {
        if (part.type === "code_inline") part.meta = { inCell: true };
        else part.content = part.content.replace(/^([<>]=) /, "$1\u00a0");
      }
      if (cell.content !== "") return;
      for (const part of tokens.slice(at, at + 3)) if (part.type.startsWith("th_")) part.tag = "td";
    });
  });
  const { code_inline } = markdown.renderer.rules;
  if (!code_inline) return;
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const code = code_inline(tokens, index, ...rest);
    if (tokens[index]?.meta?.inCell !== true) return code;
    return code.replace(/>[^<]*</, (text) => text.replaceAll(/[_/.](?=\w)/g, "$&<wbr>"));
  };
}
