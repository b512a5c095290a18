/** Location of the program that sandbox child processes run. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "sucrase";
import { sha256HexNow } from "../../storage/files.ts";

export interface ChildProgram {
  /** The entry file. */
  readonly entry: string;
  /** Folders (with their contents) and files that the process may read. */
  readonly readable: readonly string[];
}

const ENTRY = "sandbox/node/sandbox.child";
/** The program reads these files and what they import as text. */
const REALM = "sandbox/node/realm";
const IMPORT = /(^|\n)((?:import|export)\b[^;]*?from\s*")(\.[^"]+)\.ts"/g;

let made: ChildProgram | null = null;

/**
 * Uses the built files. When running from TypeScript sources, which Node 20 cannot run, it first
 * translates them into a cache folder.
 */
export function childProgram(): ChildProgram {
  made ??= find();
  return made;
}

function find(): ChildProgram {
  const library = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
  if (!import.meta.url.endsWith(".ts"))
    return { entry: path.join(library, `${ENTRY}.js`), readable: [library, ...scopesOf(library)] };
  const files = new Map<string, string>([["package.json", '{ "type": "module" }']]);
  for (const entry of [ENTRY, REALM]) translate(library, `${entry}.ts`, files);
  const folder = written(path.join(library, "../node_modules/.cache/rlkit-sandbox"), files);
  return { entry: path.join(folder, `${ENTRY}.js`), readable: [folder] };
}

/** Where Node looks for the package.json that declares these files to be ES modules. */
function scopesOf(library: string): string[] {
  const folder = path.dirname(library);
  const file = path.join(folder, "package.json");
  return existsSync(file) || folder === library ? [file] : [file, ...scopesOf(folder)];
}

/** Returns the folder that holds exactly these files. The first caller creates it. */
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
    // Another thread or process created it first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Translates a source file and its imports to JavaScript.
 * @param file Path relative to the library.
 */
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
