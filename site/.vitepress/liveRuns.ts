import { strToU8 } from "fflate";
import type { MarkdownRenderer } from "vitepress";
import { packBytes } from "../../src/ui/lib/packedBytes.ts";

/** A block of code with a manifest that trains in the page. */
interface LiveBlock {
  readonly manifest: string;
  /** What tells it from the run beside it; "" for none. */
  readonly title: string;
  /** Whether it trains beside the run of the block before it. */
  readonly beside: boolean;
}

/** Reads "yaml live", or "yaml live [title]" and "yaml live-beside [title]" for a pair. */
function liveBlock(
  token: { readonly type: string; readonly info: string; readonly content: string } | undefined,
): LiveBlock | null {
  const found =
    token?.type === "fence" ? /^ya?ml (live(?:-beside)?)(?: \[(.*)\])?$/.exec(token.info.trim()) : null;
  if (!token || !found) return null;
  return { manifest: token.content, title: found[2] ?? "", beside: found[1] === "live-beside" };
}

/** Above blocks ```yaml live, a button that trains their manifest in the page. GitHub shows only the block. */
export function liveRuns(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (!fence) return;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    // Before the theme's own rule, which takes the title from the block.
    const blocks = tokens.map(liveBlock);
    const code = fence(tokens, index, ...rest);
    const own = blocks[index];
    // The first block of a pair has the run of both.
    if (!own || own.beside) return code;
    const next = blocks.slice(index + 1).find((block) => block !== null);
    const runs = next?.beside ? [own, next] : [own];
    const specs = runs.map(({ manifest }) => packBytes(strToU8(manifest))).join(",");
    const titles = markdown.utils.escapeHtml(runs.map(({ title }) => title).join("|"));
    return `<LiveRun specs="${specs}" titles="${titles}" />${code}`;
  };
}
