/** Packages that rlkit uses where they are installed, and does not install itself: "peerDependencies" of package.json. */
const VERSIONS = {
  "@mujoco/mujoco": "3.14",
  h5wasm: "0.10",
  "onnxruntime-web": "1.30",
  webgpu: "0.6",
} as const;

export type OptionalPackage = keyof typeof VERSIONS;

/**
 * Modules of these packages that a page's program includes. They are of the thread and not of this file, because a bundler
 * puts a copy of this file into each of a page's programs, such as a module for workers.
 */
const INCLUDED = Symbol.for("rlkit.includedModules");
const thread = globalThis as { [INCLUDED]?: Map<string, () => Promise<unknown>> };

/** Makes a module of such a package part of a page's program: {@link importOptional} then calls `load`. */
export function includeModule(module: string, load: () => Promise<unknown>): void {
  thread[INCLUDED] ??= new Map();
  thread[INCLUDED].set(module, load);
}

/** The command that installs a version that rlkit works with. */
export const installCommand = (name: OptionalPackage): string => `npm install ${name}@${VERSIONS[name]}`;

/** Why an import by name failed, and what to do. */
function problemOf(name: OptionalPackage, error: unknown): string {
  if (typeof process === "undefined" || process.versions?.node === undefined)
    return `which this page does not include; run "${installCommand(name)}", and add import "rlkit/${name.replace(/^.*\//, "")}" to the page's program`;
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  const reason = isMissing ? "is not installed" : `could not be loaded (${String(error)})`;
  return `which ${reason}; run "${installCommand(name)}"`;
}

/**
 * Imports a package that may not be there: as the page's program includes it, or by name.
 * @param use What needs the package: the subject of a sentence, in the plural.
 * @param module The package's module to import by name.
 * @throws Error with the command that installs the package.
 */
export async function importOptional(
  name: OptionalPackage,
  use: string,
  module: string = name,
): Promise<unknown> {
  const load = thread[INCLUDED]?.get(module);
  if (load !== undefined) return load();
  try {
    // Not a literal, so that bundlers leave out packages that most programs do not use.
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ module);
  } catch (cause) {
    throw new Error(`${use} need the package ${name}, ${problemOf(name, cause)}`, { cause });
  }
}
