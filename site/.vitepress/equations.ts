import katexPlugin from "@vscode/markdown-it-katex";
import type { MarkdownRenderer } from "vitepress";

/** Equations between dollar signs, as MathML, which needs neither a style sheet nor fonts. */
export function equations(markdown: MarkdownRenderer): void {
  // A CommonJS module, whose function bundlers find in `default`.
  const plugin = "default" in katexPlugin ? (katexPlugin.default as typeof katexPlugin) : katexPlugin;
  markdown.use(plugin, { output: "mathml", throwOnError: true });
  for (const rule of ["math_inline", "math_block", "math_inline_block"] as const) {
    const render = markdown.renderer.rules[rule];
    if (!render) continue;
    markdown.renderer.rules[rule] = (...given) => {
      // Braces of an equation are none of a template.
      if (rule === "math_inline") return `<span v-pre class="equation">${render(...given)}</span>`;
      // A long one is scrolled, also by keys.
      return `<div v-pre class="equation" tabindex="0">${render(...given)}</div>`;
    };
  }
}
