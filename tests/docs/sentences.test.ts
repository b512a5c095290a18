/** Sentences of the guides are short enough to be read once. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { pages } from "./pages.ts";

const MOST_WORDS = 30;

/** Running text without code, formulas, tables of fields, pictures and the addresses of links. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, "\n\n")
    .replaceAll(/<!-- fields of [\s\S]*?<!-- end of fields -->/g, "\n\n")
    .replaceAll(/^\$\$.*\$\$$/gm, "\n\n")
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");

/** A paragraph, an item of a list, a heading or a cell of a table each ends a sentence. */
function sentencesOf(text: string): string[] {
  const blocks = proseOf(text)
    .split(/\n{2,}|\n(?=[*\-#|]|\d+\. )/)
    .flatMap((block) => (block.startsWith("|") ? block.split(/(?<!\\)\|/) : [block]));
  return blocks.flatMap((block) => block.replaceAll(/\s+/g, " ").split(/(?<=[.!?])\s+/));
}

const wordsIn = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** Tables of measurements and of differences, which are read row by row, and what others write. */
const LEFT_OUT = /^docs\/(results|differences|kernels)\.md$/;

describe.each(["README.md", "CONTRIBUTING.md", ...pages.filter((page) => !LEFT_OUT.test(page))])(
  "%s",
  (page) => {
    it(`has no sentence of more than ${MOST_WORDS} words`, () => {
      const text = readFileSync(path.join(root, page), "utf8");
      expect(sentencesOf(text).filter((sentence) => wordsIn(sentence) > MOST_WORDS)).toEqual([]);
    });
  },
);

describe("counting words", () => {
  it("ends sentences at points, items and cells, and leaves out code", () => {
    const text = "One two. Three\nfour\n* five `six seven`\n\n```\nno code\n```\n| eight | nine |";
    expect(
      sentencesOf(text)
        .map(wordsIn)
        .filter((count) => count > 0),
    ).toEqual([2, 2, 3, 1, 1]);
  });
});
