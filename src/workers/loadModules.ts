import type * as extending from "../extending/index.ts";

/** What a module may export beside registering when it is imported. */
type Register = (rlkit: typeof extending) => unknown;

const hasRegister = (module: object): module is { readonly register: Register } =>
  "register" in module && typeof module.register === "function";

/**
 * Imports modules that register environments, algorithms or workloads, one after another, in this thread. A module's
 * export `register`, a function, is called with what modules are written with (`rlkit/extending`): that of this thread,
 * which in a page built by a bundler is another copy than one that the module could import.
 * @param urls Absolute URLs, from the caller's own code: what a manifest, a link or an imported run says is never loaded.
 * @throws Error naming the module that could not be loaded.
 */
export async function loadModules(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    try {
      const module: object = await import(/* @vite-ignore */ url);
      if (hasRegister(module)) await module.register(await import("../extending/index.ts"));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`modules: ${url} could not be loaded: ${reason}`, { cause: error });
    }
  }
}
