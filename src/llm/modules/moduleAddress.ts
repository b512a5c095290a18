/** What a manifest's text names: an export of a JavaScript module, or something else. */

/** An export of a module. */
export interface ModuleAddress {
  /** Path of the file, from the working directory. */
  readonly path: string;
  /** Name of the export; null where none is said. */
  readonly name: string | null;
}

/** `path.mjs` or `path.mjs:name`; null for what names no such module. */
export function moduleAddress(text: string): ModuleAddress | null {
  const [, path, name] = /^(.+\.m?[jt]s)(?::([A-Za-z_$][\w$]*))?$/.exec(text) ?? [];
  return path === undefined || text.includes("://") ? null : { path, name: name ?? null };
}

/** Whether a text is the address of Python's code: a file of it, or `module:name`. */
export const isPythonAddress = (text: string): boolean =>
  /\.py(?::\w+)?$|^[A-Za-z_][\w.]*:[^/\\]+$/.test(text);
