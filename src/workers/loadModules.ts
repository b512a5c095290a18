/**
 * Imports modules that register environments, algorithms or workloads, one after another, in this thread.
 * @param urls Absolute URLs, from the caller's own code: what a manifest, a link or an imported run says is never loaded.
 * @throws Error naming the module that could not be loaded.
 */
export async function loadModules(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    try {
      await import(/* @vite-ignore */ url);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`modules: ${url} could not be loaded: ${reason}`, { cause: error });
    }
  }
}
