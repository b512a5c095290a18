import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { noticesFile, thirdPartyNotices } from "./scripts/lib/notices.mjs";
import { mujocoInDevelopment, packedWasm } from "./scripts/lib/packedWasm.mjs";
import { playFileInside } from "./scripts/lib/playFile.mjs";
import { sandboxPage } from "./scripts/lib/sandboxPage.mjs";
import { headersFile, pagePolicy } from "./src/cli/app/siteHeaders.ts";
import { environmentFacts } from "./src/manifests/environmentFacts.ts";
import { SHARED_STEPS } from "./src/manifests/sharedSteps.ts";
import { environmentGlyphs, gameIds } from "./src/ui/components/environmentGlyphs.ts";
import type { Precache } from "./src/ui/pwa/precache.ts";

const SERVICE_WORKER = "service-worker.js";

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

/** The glyphs and the ids of games as the data that they are, for a first page that needs nothing else of the environments. */
export const glyphsAsData = {
  name: "rlkit:glyphs-as-data",
  apply: "build",
  load: {
    filter: { id: /\/src\/ui\/components\/environmentGlyphs\.ts$/ },
    handler: () =>
      `export const environmentGlyphs = ${JSON.stringify(environmentGlyphs)};\nexport const gameIds = ${JSON.stringify(gameIds)};`,
  },
} as const satisfies Plugin;

/** The facts of environments as the data that they are, for pages that need no dynamics. */
export const factsAsData = {
  name: "rlkit:environment-facts-as-data",
  apply: "build",
  load: {
    filter: { id: /\/src\/manifests\/environmentFacts\.ts$/ },
    handler: () => `export const environmentFacts = ${JSON.stringify(environmentFacts)};`,
  },
} as const satisfies Plugin;

/** The algorithms that share their steps as data, for a first page that needs nothing else of the specs. */
export const sharedStepsAsData = {
  name: "rlkit:shared-steps-as-data",
  apply: "build",
  load: {
    filter: { id: /\/src\/manifests\/sharedSteps\.ts$/ },
    handler: () =>
      `export const sharesSteps = (algorithm) => ${JSON.stringify(SHARED_STEPS)}.includes(String(algorithm));`,
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

/** Files that a page may need: all but those that are larger than what they are seldom needed for, ONNX Runtime and MuJoCo. */
const isKept = (name: string): boolean =>
  /\.(?:js|css|html|svg|webmanifest|woff2)$|\/h5wasm-[^/]*$/.test(name) && !/\/mujoco-[^/]*$/.test(name);

/** Lists the built files in the service worker, which keeps them. */
const precached: Plugin = {
  name: "rlkit:precache",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const worker = bundle[SERVICE_WORKER];
      if (worker?.type !== "chunk") throw new Error(`The build has no ${SERVICE_WORKER}.`);
      const built = Object.values(bundle).filter(({ fileName }) => fileName !== SERVICE_WORKER);
      const fixed = readdirSync("public").map((name) => [name, readFileSync(`public/${name}`)] as const);
      const contents = [
        ...built.map((part) => [part.fileName, part.type === "chunk" ? part.code : part.source] as const),
        ...fixed,
      ].filter(([name]) => isKept(name));
      const hash = createHash("sha256");
      for (const [name, content] of contents.sort(([a], [b]) => (a < b ? -1 : 1)))
        hash.update(name).update(content);
      const precache: Precache = {
        version: hash.digest("hex").slice(0, 16),
        files: contents.map(([name]) => name),
      };
      worker.code = worker.code.replace("__PRECACHE__", () => JSON.stringify(precache));
    },
  },
};

/** The build says nothing of how long its plugins take. */
const checks = { bundlerTimings: false } as const;

export default defineConfig({
  // Relative addresses, so that the built site works under any path of any static host.
  base: "./",
  // A missing file is a 404, as on a static host, instead of the page again.
  appType: "mpa",
  plugins: [
    react(),
    glyphsAsData,
    factsAsData,
    sharedStepsAsData,
    policyInPage,
    headersBeside,
    modulesSeen(),
    packedWasm(),
    mujocoInDevelopment(),
    sandboxPage(modulesSeen),
    playFileInside(),
    noticesBeside,
    precached,
  ],
  worker: { format: "es", plugins: () => [modulesSeen(), packedWasm()], rolldownOptions: { checks } },
  build: {
    outDir: "dist/app",
    rolldownOptions: {
      checks,
      input: {
        page: "index.html",
        embed: "embed.html",
        live: "live.html",
        worker: "src/ui/pwa/serviceWorker.ts",
      },
      output: {
        // Its address must not change, or it could not be updated.
        entryFileNames: ({ name }) => (name === "worker" ? SERVICE_WORKER : "assets/[name]-[hash].js"),
      },
    },
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
