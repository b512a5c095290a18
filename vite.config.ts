import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { noticesFile, thirdPartyNotices } from "./scripts/lib/notices.mjs";
import { headersFile, pagePolicy } from "./src/cli/app/siteHeaders.ts";
import { environmentGlyphs } from "./src/ui/components/environmentGlyphs.ts";

/** Adds the policy to the built page only: the development server needs an inline script of its own. */
const policyInPage: Plugin = {
  name: "rlkit:content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: pagePolicy },
      injectTo: "head-prepend",
    },
    { tag: "meta", attrs: { name: "referrer", content: "no-referrer" }, injectTo: "head-prepend" },
  ],
};

/** The headers for static hosts that take them from a file; the rest of them is what the page says itself. */
const headersBeside: Plugin = {
  name: "rlkit:headers",
  apply: "build",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "_headers", source: headersFile() });
  },
};

/** The glyphs as the data that they are, for a first page that needs nothing else of the environments. */
export const glyphsAsData = {
  name: "rlkit:glyphs-as-data",
  apply: "build",
  load: {
    filter: { id: /\/src\/ui\/components\/environmentGlyphs\.ts$/ },
    handler: () => `export const environmentGlyphs = ${JSON.stringify(environmentGlyphs)};`,
  },
} as const satisfies Plugin;

/** Modules in any bundle; the workers' are complete before the page's is made. */
const bundledModules = new Set<string>();

const modulesSeen = (): Plugin => ({
  name: "rlkit:modules-seen",
  apply: "build",
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle))
      if (part.type === "chunk") for (const id of part.moduleIds) bundledModules.add(id);
  },
});

/** The notices of all whose code is in the site; ends the build where one is missing. */
const noticesBeside: Plugin = {
  name: "rlkit:third-party-notices",
  apply: "build",
  generateBundle: {
    order: "post",
    handler() {
      const source = thirdPartyNotices(bundledModules, import.meta.dirname);
      this.emitFile({ type: "asset", fileName: noticesFile, source });
    },
  },
};

export default defineConfig({
  // Relative addresses, so that the built site works under any path of any static host.
  base: "./",
  // A missing file is a 404, as on a static host, instead of the page again.
  appType: "mpa",
  plugins: [react(), glyphsAsData, policyInPage, headersBeside, modulesSeen(), noticesBeside],
  worker: { format: "es", plugins: () => [modulesSeen()] },
  build: {
    outDir: "dist/app",
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
