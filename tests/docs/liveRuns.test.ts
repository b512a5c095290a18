/** The manifests that pages train in the page. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { workloadIssues } from "../../src/hosting/index.ts";
import { evolutionSections, parseManifest } from "../../src/manifests/index.ts";
import { pages } from "./pages.ts";

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const live = pages.flatMap((page) =>
  [...read(page).matchAll(/^```yaml live[^\n]*\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => ({ page, text })),
);

describe("runs in pages", () => {
  it.each(live)("$page can train", ({ text }) => {
    const manifest = parseManifest(text);
    expect(workloadIssues(manifest)).toEqual([]);
    // The command writes out what hpo stands for.
    const { mutation } = evolutionSections(manifest);
    expect(workloadIssues({ ...manifest, mutation })).toEqual([]);
  });

  it("are on the first page, on that of evolution as a pair, and on every algorithm's", () => {
    const count = (page: string): number => live.filter((one) => one.page === page).length;
    expect(count("docs/README.md")).toBe(1);
    expect(count("docs/evolution.md")).toBe(2);
    const algorithms = pages.filter((page) => /^docs\/algorithms\/(?!README)/.test(page));
    expect(algorithms.filter((page) => count(page) !== 1)).toEqual([]);
    expect(algorithms).toHaveLength(26);
  });
});
