/**
 * Which unit tests share a process, and the modules that are loaded in it. Most share it with all others like them; some
 * with files that leave as much behind as they do; a few have one of their own.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A file says so, and why, in a comment above its imports. That it mocks modules, its code says. */
const MARKS = { own: /^\/\/ @own-process: \S/m, apart: /^\/\/ @apart: \S/m, mocks: /^vi\.mock\(/m };

const inFolder = (...folders: string[]) =>
  unitTests.filter((file) => folders.some((folder) => file.startsWith(`tests/${folder}/`)));

const isUnit = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) && !/^(?:browser|e2e|published)\//.test(file.replaceAll(path.sep, "/"));

/** All unit test files, relative to the repository. */
export const unitTests: readonly string[] = readdirSync(path.join(ROOT, "tests"), {
  recursive: true,
  encoding: "utf8",
})
  .filter(isUnit)
  .map((file) => `tests/${file.replaceAll(path.sep, "/")}`)
  .sort();

const marked = (mark: keyof typeof MARKS): string[] =>
  unitTests.filter((file) => MARKS[mark].test(readFileSync(path.join(ROOT, file), "utf8")));

/** They mock modules, each in a process of its own. */
export const mocking: readonly string[] = marked("mocks");

/** Each has a process of its own. */
export const ownProcess: readonly string[] = marked("own").filter((file) => !mocking.includes(file));

const others = (files: readonly string[]): string[] =>
  files.filter((file) => ![...mocking, ...ownProcess].includes(file));

/** Tests of the platform, which mostly wait for its processes: a stage of its own in scripts/test.mjs. */
export const platform: readonly string[] = others(inFolder("platform"));

/**
 * They share a process with each other, and with no others: so do tests of the packed library and of the repository.
 */
export const apart: readonly string[] = others([...marked("apart"), ...inFolder("public", "repo")]).filter(
  (file) => !platform.includes(file),
);
