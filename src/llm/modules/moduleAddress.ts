/** Recognises texts of a manifest that name code. */

/** An export of a JavaScript module. */
export interface ModuleAddress {
  /** Path of the file, relative to the working directory. */
  readonly path: string;
  /** Name of the export; `null` if not given. */
  readonly name: string | null;
}

/** Parses `path.mjs` or `path.mjs:name`; `null` for any other text. */
export function moduleAddress(text: string): ModuleAddress | null {
  const [, path, name] = /^(.+\.m?[jt]s)(?::([A-Za-z_$][\w$]*))?$/.exec(text) ?? [];
  return path === undefined || text.includes("://") ? null : { path, name: name ?? null };
}

/** Whether a text names Python code: a file, or `module:name`. */
export const isPythonAddress = (text: string): boolean =>
  /\.py(?::\w+)?$|^[A-Za-z_][\w.]*:[^/\\]+$/.test(text);
