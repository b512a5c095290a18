/** Where the programs of sandboxes' child processes lie. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "sucrase";
import { sha256HexNow } from "../../storage/sha256.ts";

export interface ChildProgram {
  /** The file to start with. */
  readonly entry: string;
  /** What the process may read: folders, and all that is in them. */
  readonly readable: readonly string[];
}

/** What child processes run: environments, or functions of modules in a realm of their own. */
const ENTRIES = { environment: "sandbox/node/sandbox.child", module: "sandbox/node/module.child" } as const;
/** Read as text by the program for modules. */
const REALM = "sandbox/node/moduleRealm";
const IMPORT = /(^|\n)((?:import|export)\b[^;]*?from\s*")(\.[^"]+)\.ts"/g;

interface Library {
  readonly folder: string;
  readonly readable: readonly string[];
}

let made: Library | null = null;

/** As it was built; from sources, which Node 20 cannot run, translated into a folder of its own first. */
export function childProgram(kind: keyof typeof ENTRIES): ChildProgram {
  made ??= find();
  return { entry: path.join(made.folder, `${ENTRIES[kind]}.js`), readable: made.readable };
}

function find(): Library {
  const library = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
  if (!import.meta.url.endsWith(".ts"))
    // The package's own file says that these are ES modules.
    return {
      folder: library,
      readable: [library, path.join(library, "../../package.json")],
    };
  const files = new Map<string, string>([["package.json", '{ "type": "module" }']]);
  for (const entry of [...Object.values(ENTRIES), REALM]) translate(library, `${entry}.ts`, files);
  const folder = written(path.join(library, "../node_modules/.cache/rlkit-sandbox"), files);
  return { folder, readable: [folder] };
}

/** The folder that has these files and no others; who comes first makes it. */
function written(caches: string, files: ReadonlyMap<string, string>): string {
  const hash = sha256HexNow(new TextEncoder().encode(JSON.stringify([...files])));
  const folder = path.join(caches, hash);
  if (existsSync(folder)) return folder;
  mkdirSync(caches, { recursive: true });
  const work = mkdtempSync(path.join(caches, "."));
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
    writeFileSync(path.join(work, file), text);
  }
  try {
    renameSync(work, folder);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another thread or process was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** A source and all that it imports, without types. @param file Its path in the library. */
function translate(library: string, file: string, files: Map<string, string>): void {
  const place = file.replace(/\.ts$/, ".js");
  if (files.has(place)) return;
  const { code } = transform(readFileSync(path.join(library, file), "utf8"), {
    transforms: ["typescript"],
    disableESTransforms: true,
  });
  files.set(place, code.replace(IMPORT, '$1$2$3.js"'));
  for (const [, , , target = ""] of code.matchAll(IMPORT))
    translate(library, `${path.join(path.dirname(file), target)}.ts`, files);
}
