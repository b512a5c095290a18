/**
 * Has Node load the sources as tests/support/compileSources.ts compiled them: Vitest takes several milliseconds for a module,
 * Node one, and runs what it loads itself faster. Of a project with this plugin, test files cannot mock modules.
 */
import path from "node:path";
import type { Plugin } from "vite";
import { root } from "../../scripts/lib/environment.mjs";
import { compiled } from "./compiled.ts";

const COMPILED = /^(?:src\/(?!ui\/)|platform\/src\/).*\.ts$/;

export function compiledSources(): Plugin {
  let isWatched = false;
  return {
    name: "rlkit-compiled-sources",
    enforce: "pre",
    configResolved(config) {
      // Somebody may edit them while tests are watched.
      isWatched = config.server.watch !== null;
    },
    resolveId(source, importer) {
      if (isWatched || importer === undefined || !source.startsWith(".")) return null;
      const file = path.relative(root, path.resolve(path.dirname(importer), source));
      return COMPILED.test(file) ? compiled(file) : null;
    },
  };
}
