/** Where the program of a sandbox's child process lies. */
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

const ENTRY = "sandbox/node/sandbox.child";
const IMPORT = /(^|\n)((?:import|export)\b[^;]*?from\s*")(\.[^"]+)\.ts"/g;

let made: ChildProgram | null = null;

/** As it was built; from sources, which Node 20 cannot run, translated into a folder of its own first. */
export function childProgram(): ChildProgram {
  made ??= find();
  return made;
}

function find(): ChildProgram {
  const library = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
  if (!import.meta.url.endsWith(".ts"))
    // The package's own file says that these are ES modules.
    return {
      entry: path.join(library, `${ENTRY}.js`),
      readable: [library, path.join(library, "../../package.json")],
    };
  const files = new Map<string, string>([["package.json", '{ "type": "module" }']]);
  translate(library, `${ENTRY}.ts`, files);
  const folder = written(path.join(library, "../node_modules/.cache/rlkit-sandbox"), files);
  return { entry: path.join(folder, `${ENTRY}.js`), readable: [folder] };
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
