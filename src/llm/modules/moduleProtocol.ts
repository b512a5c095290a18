/** Messages to and from a loaded module. */
import { z } from "zod";

/** An export of a JavaScript module. */
interface ModuleAddress {
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

/** Calls an export, or a method of an object that an export made. */
export type ModuleTask =
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "make"; readonly name: string; readonly args: readonly unknown[] }
  | {
      readonly kind: "method";
      readonly object: number;
      readonly name: string;
      readonly args: readonly unknown[];
    };

const count = z.number().optional().catch(undefined);

/** Properties of a module's object; `null` for a value that is not an object. */
export const objectFacts = z.object({ dataset_size: count, num_epochs: count }).nullable();
