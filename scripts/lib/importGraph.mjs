/**
 * Which files reach which others: by imports, and by naming them. Processes, workers and fixtures are named in strings, which
 * a bundler's graph does not follow.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./environment.mjs";

const CODE = /\.(?:[cm]?js|tsx?)$/;
/** Types alone change nothing that runs. */
const TYPE_IMPORT = /\b(?:import|export)\s+type\s[^;]*?\sfrom\s+"[^"]+"/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** A template's first piece may name a folder. */
const STRING = /"([^"\n]+)"|`([^`$\n]+)/g;

/** @param {readonly string[]} args @returns {string[]} lines that git prints */
export const git = (...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 })
    .split("\n")
    .filter((line) => line !== "");

/** All files that git tracks or could track, relative to the root. */
export const repositoryFiles = () => git("ls-files", "--cached", "--others", "--exclude-standard");

/** @param {string} file @returns {string[]} the file's folder and those above it, but for the outermost */
const foldersOf = (file) =>
  file
    .split("/")
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join("/"))
    .slice(1);

/** What reading a changed file begins at: the file, and where it is no code, the folders that are read as a whole. @param {string} file */
const startsOf = (file) => (CODE.test(file) ? [file] : [file, ...foldersOf(file)]);

/**
 * For each file, and each folder with files that are no code, the files that import or name it.
 *
 * @param {readonly string[]} files relative to the root
 * @param {(file: string) => string} [read]
 * @returns {Map<string, Set<string>>}
 */
export function usersOf(files, read = (file) => readFileSync(path.join(root, file), "utf8")) {
  const known = new Set(files.flatMap(startsOf));
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  /** @param {string} used @param {string} user */
  const note = (used, user) => users.set(used, (users.get(used) ?? new Set()).add(user));
  for (const file of files.filter((name) => CODE.test(name))) {
    const text = read(file).replaceAll(COMMENT, "").replaceAll(TYPE_IMPORT, "");
    for (const [, double, back] of text.matchAll(STRING)) {
      const used = placesOf(double ?? back ?? "", file).find((place) => known.has(place));
      if (used !== undefined && used !== file) note(used, file);
    }
  }
  return users;
}

/**
 * Where what a string names may be.
 *
 * @param {string} name @param {string} from the file with the string
 * @returns {string[]}
 */
function placesOf(name, from) {
  if (name.startsWith("#node/")) return [`src/${name.slice("#node/".length)}.ts`];
  const beside = path.posix.join(path.posix.dirname(from), name).replace(/\/$/, "");
  return name.startsWith(".") ? [beside] : [name, beside];
}

/**
 * How far each file is from the changed ones: 0 for these, 1 for those that import or name one of them, and so on.
 *
 * @param {readonly string[]} changed
 * @param {ReadonlyMap<string, ReadonlySet<string>>} users
 * @returns {Map<string, number>} of all files that the change can reach
 */
export function distances(changed, users) {
  const found = new Map(changed.flatMap(startsOf).map((place) => [place, 0]));
  // A map visits what is added while it is walked.
  for (const [file, distance] of found)
    for (const user of users.get(file) ?? []) if (!found.has(user)) found.set(user, distance + 1);
  return found;
}
