/**
 * Notices of the packages that the workbench's files hold code of, and of those that the library needs: name, version,
 * licence and its text, out of the packages' own files. What is not named, or may not go with the MIT licence, is an
 * error that ends the build.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { licenceTexts, readLicences } from "./licenceTexts.mjs";

/** The file's name in the built site. */
export const noticesFile = "third-party-notices.txt";

/** What the site holds of others that is no code of a package, by the place of its licence's text. */
const includedFiles = [
  { name: "Geist", version: "5.3.0", licence: "OFL-1.1", text: "src/ui/styles/geist/LICENSE" },
];

/** SPDX ids of licences under which code may be part of what is published under MIT. */
const allowedLicences = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSD-3-Clause-LBNL",
  "CC0-1.0",
  "ISC",
  "MIT",
  "NIST-Software",
  "Unlicense",
  "Zlib",
];

/** Code that the bundler adds is in modules of these prefixes, and not in files. */
const virtualModules = { "\0vite/": "vite", "\0rolldown/": "rolldown" };

const licenceFile = /^(licen[cs]e|copying|notice)([.-]|$)/i;
/** What a tool itself holds is not in what it makes. */
const ofBundledParts = /^# Licenses of bundled dependencies$/m;

/**
 * @typedef {{ name: string, version: string, licence: string, text: string }} Notice
 */

/**
 * Whether a licence expression leaves nothing that is not allowed: of "A OR B" one may be chosen, unless "AND" stands
 * beside it.
 *
 * @param {string} expression SPDX
 */
export function isAllowedLicence(expression) {
  const words = expression.replaceAll(/[()]/g, " ").trim().split(/\s+/);
  const ids = words.filter((word) => word !== "AND" && word !== "OR");
  const isAllowed = (/** @type {string} */ id) => allowedLicences.includes(id);
  return words.includes("OR") && !words.includes("AND") ? ids.some(isAllowed) : ids.every(isAllowed);
}

/**
 * The packages that bundled modules come from: for each folder of one, its folders that have a module.
 *
 * @param {Iterable<string>} modules ids as the bundler gives them
 * @param {string} project its root folder
 * @returns {Map<string, Set<string>>}
 */
export function packagesOf(modules, project) {
  /** @type {Map<string, Set<string>>} */
  const packages = new Map();
  /** @param {string} folder @param {string} place */
  const add = (folder, place) => packages.set(folder, (packages.get(folder) ?? new Set()).add(place));
  for (const id of modules) {
    const tool = Object.entries(virtualModules).find(([prefix]) => id.startsWith(prefix))?.[1];
    if (tool !== undefined) {
      const folder = path.join(project, "node_modules", tool);
      add(folder, folder);
      continue;
    }
    const file = id.replace(/^\0/, "").replace(/\?.*$/, "").replaceAll("\\", "/");
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
    if (folder !== undefined) add(folder, path.posix.dirname(file));
  }
  return packages;
}

/**
 * The packages that a package needs at run time, and those that they need.
 *
 * @param {string} project its root folder
 * @returns {Set<string>} folders
 */
export function dependenciesOf(project) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {string} folder */
  const walk = (folder) => {
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      const place = installedPlace(folder, name);
      if (place === undefined) throw new Error(`${folder} needs ${name}, which is not installed; run npm ci`);
      if (found.has(place)) continue;
      found.add(place);
      walk(place);
    }
  };
  walk(project);
  return found;
}

/**
 * Where Node finds a package that another one imports.
 *
 * @param {string} from @param {string} name
 * @returns {string | undefined}
 */
function installedPlace(from, name) {
  const place = path.join(from, "node_modules", name);
  if (existsSync(path.join(place, "package.json"))) return place;
  const above = path.dirname(from);
  return above === from ? undefined : installedPlace(above, name);
}

/**
 * The notice of one package: the licence files of its own folder, and of those between it and the bundled modules.
 *
 * @param {string} folder
 * @param {Iterable<string>} places folders in it with bundled modules
 * @returns {Notice}
 * @throws Error where the licence is not allowed, or its text is missing
 */
export function noticeOf(folder, places = []) {
  const described = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const { name, version } = described;
  const read = readLicences.get(name);
  const license = read?.stated === described.license ? read?.licence : described.license;
  if (typeof license !== "string" || !isAllowedLicence(license)) {
    throw new Error(
      `${name} ${version} has the licence ${JSON.stringify(license)}, allowed: ${allowedLicences.join(", ")}; ` +
        "replace the package, or see whether its licence may go with MIT and add it to scripts/lib/notices.mjs",
    );
  }
  const folders = new Set([folder]);
  for (const place of places)
    for (let at = place; at.length > folder.length && at.startsWith(folder); at = path.posix.dirname(at))
      folders.add(at);
  const texts = [...folders].flatMap((at) =>
    readdirSync(at, { withFileTypes: true })
      .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
      .map((entry) => readFileSync(path.join(at, entry.name), "utf8").replaceAll("\r\n", "\n"))
      .map((text) => (text.split(ofBundledParts)[0] ?? "").trim()),
  );
  const known = licenceTexts.get(name);
  const text =
    [...new Set(texts)].filter((found) => found !== "").join("\n\n") ||
    (known?.licence === license ? known.text : "");
  if (text === "") {
    throw new Error(
      `${name} ${version} (${license}) has no file with its licence's text in ${folder}, so it cannot be published ` +
        "with one; replace the package, take a version that has it, or put the text into scripts/lib/licenceTexts.mjs",
    );
  }
  return { name, version, licence: license, text };
}

/**
 * The notices of everything that the site of a project holds and that its package needs.
 *
 * @param {Iterable<string>} modules of the site
 * @param {string} project its root folder
 */
export function thirdPartyNotices(modules, project) {
  const packages = packagesOf(modules, project);
  for (const folder of dependenciesOf(project)) {
    const slashed = folder.replaceAll("\\", "/");
    if (!packages.has(slashed)) packages.set(slashed, new Set());
  }
  const included = includedFiles.flatMap(({ text, ...notice }) => {
    const file = path.join(project, text);
    return existsSync(file) ? [{ ...notice, text: readFileSync(file, "utf8").trim() }] : [];
  });
  const notices = [...packages].map(([folder, places]) => noticeOf(folder, places));
  return noticesText([...notices, ...included]);
}

/** @param {readonly Notice[]} notices */
function noticesText(notices) {
  const order = new Intl.Collator("en").compare;
  const sections = new Map(
    notices.map(({ name, version, licence, text }) => [
      `${name} ${version}`,
      `${"-".repeat(80)}\n${name} ${version}\nLicence: ${licence}\n\n${text}\n`,
    ]),
  );
  const sorted = [...sections].sort(([a], [b]) => order(a, b)).map(([, section]) => section);
  const head = "rlkit's workbench holds code of the packages below, and its library needs some of them.";
  return `${head}\nEach is under its own licence.\n\n${sorted.join("\n")}`;
}
