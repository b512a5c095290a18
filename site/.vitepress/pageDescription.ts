import { readFileSync } from "node:fs";

const MOST_CHARACTERS = 200;

/** What a page is about, for search engines and previews: the first sentences of its Markdown. */
export function pageDescription(file: string, title: string): string {
  const blocks = readFileSync(file, "utf8")
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .split(/\n{2,}/);
  // A paragraph begins with a word; a note's first one is its date.
  const first =
    blocks.find((block) => /^(?!\*\d)[A-Za-z`*[]/.test(block)) ?? "A page of rlkit's documentation.";
  const text = first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    // VitePress writes it into an attribute as it is.
    .replaceAll(/[`*"<>]/g, "")
    .replaceAll(/\s+/g, " ");
  const sentences = text.split(/(?<=[.!?:])\s+/);
  let description = "";
  for (const sentence of sentences)
    if (description === "" || description.length + sentence.length < MOST_CHARACTERS)
      description += `${sentence} `;
    else break;
  return `${title}: ${description.trim().replace(/:$/, ".")}`;
}
