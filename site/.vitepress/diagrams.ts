import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

/** Widest picture, in pixels, that a page shows without making it smaller. */
const COLUMN = 690;

/** Characters of a line, unless a word is longer. */
const LONGEST_LINE = 18;

const LOOKS = { bg: "", fg: "", transparent: true, padding: 8, nodeSpacing: 16, layerSpacing: 28 };

/** A text in lines, so that a chart is not wide. */
function inLines(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > LONGEST_LINE) lines.push(word);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines.join("<br>");
}

/** A chart whose texts, in quotation marks or between bars, have several lines. */
const narrowed = (code: string): string =>
  code.startsWith("flowchart")
    ? code.replaceAll(
        /(["|])((?:(?!\1)[^"\n])+)\1/g,
        (_, mark: string, text: string) => `${mark}${inLines(text)}${mark}`,
      )
    : code;

/** A picture; its colours are those of the theme (site.css), not its own. */
const picture = (code: string) => {
  const svg = renderMermaidSVG(code, LOOKS).replace(/<style>[\s\S]*?<\/style>/, "");
  const width = Number(/ width="([\d.]+)"/.exec(svg)?.[1]);
  return { svg, width };
};

const wordsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([\s\S]*?)<\/text>/g)].map(([, text = ""]) =>
    text.replaceAll(/<[^>]*>/g, " ").trim(),
  );

/** Blocks ```mermaid as pictures, drawn once for the page. A chart that is too wide beside its texts goes downwards. */
export function diagrams(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (!fence) return;
  let count = 0;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    if (token?.info.trim() !== "mermaid") return fence(tokens, index, ...rest);
    const chart = narrowed(token.content);
    const across = picture(chart);
    const down = picture(chart.replace(/^(?:flowchart|graph) LR$/m, "flowchart TD"));
    const { svg } = across.width > COLUMN && down.width < across.width ? down : across;
    // Ids are those of the page, on which there may be several pictures.
    count++;
    const own = svg.replaceAll(/(id="|url\(#)/g, `$1d${count}-`).replaceAll(/\sstyle="--bg[^"]*"/g, "");
    const label = markdown.utils.escapeHtml(`Diagram: ${wordsOf(svg).join(", ")}`).replaceAll("&amp;", "&");
    return `<div v-pre class="diagram" tabindex="0" role="img" aria-label="${label}">${own}</div>\n`;
  };
}
