import { keepGivenModule } from "../../llm/modules.ts";
import type * as extending from "../../training/extending/index.ts";

/** A module's optional export, called after the import. */
type Register = (rlkit: typeof extending) => unknown;

const hasRegister = (module: object): module is { readonly register: Register } =>
  "register" in module && typeof module.register === "function";

/**
 * Imports modules that register environments, algorithms or workloads, one after another, in this
 * thread. If a module exports a function `register`, it is called with this thread's API for
 * modules (`rlkit/extending`). In a page built by a bundler, a module's own import would give
 * another copy of that API.
 * @param urls Absolute URLs from the caller's own code. URLs in a manifest, a link or an imported
 *   run are never loaded.
 * @throws Error naming the module that could not be loaded.
 */
export async function loadModules(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    try {
      const module: object = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
      keepGivenModule(url, module);
      if (hasRegister(module)) await module.register(await import("../../training/extending/index.ts"));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`modules: ${url} could not be loaded: ${reason}`, { cause: error });
    }
  }
}
