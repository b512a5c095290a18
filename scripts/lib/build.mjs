/** The two builds: dist/app, the static workbench, and dist/lib, the library as ES modules with declarations. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { root } from "./environment.mjs";
import { isFresh } from "./freshness.mjs";
import { runTool } from "./tools.mjs";

const settings = ["package.json", "package-lock.json", "tsconfig.json"];
const notices = ["scripts/lib/notices.mjs", "scripts/lib/licences"];
const plugins = ["packedWasm", "mujocoPackage", "sandboxPage", "playFile"].map(
  (name) => `scripts/lib/${name}.mjs`,
);
const appSources = [
  "src",
  "public",
  "index.html",
  "embed.html",
  "live.html",
  "vite.config.ts",
  ...plugins,
  ...notices,
  ...settings,
];
const libSources = ["src", "tsconfig.lib.json", "scripts/lib/build.mjs", ...settings];

/** Vite's look at how its settings are written takes so long that the bundler warns of it. */
const quiet = { VITE_CONFIG_NATIVE_IGNORE_WARNING: "true" };

/** Builds the workbench into dist/app. Returns whether it worked. */
export async function buildApp() {
  return (await runTool("vite", ["build", "--logLevel", "warn"], { env: quiet })) === 0;
}

/** Builds the workbench unless dist/app is newer than its sources. */
export const buildAppIfStale = async () => isFresh("dist/app/index.html", appSources) || (await buildApp());

/**
 * Copies the built workbench into a built site, and lets it link to the pages around it.
 *
 * @param {string} site
 */
export function placeApp(site) {
  cpSync(path.join(root, "dist/app"), path.join(site, "app"), { recursive: true });
  const page = path.join(site, "app/index.html");
  const help = '<link rel="help" href="../" /></head>';
  writeFileSync(page, readFileSync(page, "utf8").replace("</head>", help));
}

/** Builds the documentation into dist/docs, to be served at /docs/, unless it is newer than its sources. Returns whether it is there. */
export async function buildDocsIfStale() {
  if (isFresh("dist/docs/index.html", ["docs", "site", ...settings])) return true;
  const work = path.join(root, "dist", `.docs-${process.pid}`);
  const place = path.join(root, "dist", "docs");
  try {
    const args = ["build", "site", "--outDir", work];
    if ((await runTool("vitepress", args, { env: { RLKIT_SITE_BASE: "/docs/" } })) !== 0) return false;
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Builds the library into dist/lib. The finished folder takes the old one's place in one rename, so that a process
 * never sees half of it.
 *
 * @param {{ check?: boolean }} [options] `check: false` translates without a type check, in a fraction of the time
 */
export async function buildLib({ check = true } = {}) {
  const work = path.join(root, "dist", `.lib-${process.pid}`);
  const place = path.join(root, "dist", "lib");
  try {
    const args = ["-p", "tsconfig.lib.json", "--outDir", work, ...(check ? [] : ["--noCheck"])];
    if ((await runTool("typescript", args, { bin: "tsc" })) !== 0) return false;
    finishLib(work);
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Builds the library unless dist/lib is newer than its sources. */
export const buildLibIfStale = async () =>
  isFresh("dist/lib/.built", libSources) || (await buildLib({ check: false }));

/** A comment about a whole file, for readers of the sources: it does not stand before a declaration. */
const FILE_NOTE = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=import |export \{|export type \{|export \* |\/\*\*)/;

/** A comment over several lines. */
const COMMENT = /^( *)\/\*\*\n((?:\1 \*.*\n)+?)\1 \*\/$/gm;
/** Begins a line of its own: a tag, a list, a table, a heading, a quotation, code. */
const OWN_LINE = /^(?:[@*`|#>-]|\d+\.)/;

/** @param {string} lines of a comment. @returns its paragraphs, one a line */
function paragraphsOf(lines) {
  /** @type {string[]} */
  const found = [];
  let inCode = false;
  let isOpen = false;
  for (const line of lines
    .trimEnd()
    .split("\n")
    .map((one) => one.replace(/^ *\* ?/, ""))) {
    const isFence = line.startsWith("```");
    if (inCode || isFence || line === "" || !isOpen || OWN_LINE.test(line)) found.push(line);
    else found.push(`${found.pop()} ${line.trim()}`);
    if (isFence) inCode = !inCode;
    isOpen = !inCode && !isFence && line !== "" && !line.startsWith("|") && !line.startsWith("@example");
  }
  return found;
}

/**
 * Declarations without the notes about whole files. A paragraph becomes one line: the sources wrap at the
 * width of a page, and editors show both alike.
 *
 * @param {string} text
 */
const shorterComments = (text) =>
  text.replace(FILE_NOTE, "").replace(COMMENT, (_, indent, lines) => {
    const [first = "", ...rest] = paragraphsOf(lines);
    if (rest.length === 0) return `${indent}/** ${first} */`;
    return `${indent}/**\n${[first, ...rest].map((line) => `${indent} *${line && ` ${line}`}\n`).join("")}${indent} */`;
  });

/**
 * Points what the compiler leaves (worker addresses, imports in declarations) at the files that it wrote.
 *
 * @param {string} folder
 */
function finishLib(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  for (const name of files) {
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    const finished = name.endsWith(".d.ts")
      ? shorterComments(text).replace(/((?:from|import)\s*\(?\s*["']\.{1,2}\/[^"']*)\.tsx?(["'])/g, "$1.js$2")
      : withPlanck(withOwnImports(text), name).replace(
          /(new URL\(\s*["']\.{1,2}\/[^"']*)\.ts(["'],\s*import\.meta\.url)/g,
          "$1.js$2",
        );
    if (finished !== text) writeFileSync(file, finished);
  }
  copyFileSync(path.join(root, "node_modules/planck/dist/planck.mjs"), path.join(folder, PLANCK));
  enterDirectly(folder);
  declarePlatform(folder);
  removeUnreached(folder);
  const command = path.join(folder, "cli", "rlkit.js");
  if (existsSync(command)) chmodSync(command, 0o755);
  writeFileSync(path.join(folder, ".built"), "");
}

/** Planck's module, with its licence at its head. Of its package's 11 MB, the rest are maps and demonstrations. */
const PLANCK = "planck.js";

/**
 * @param {string} text
 * @param {string} name of its file
 */
function withPlanck(text, name) {
  const place = path.relative(path.dirname(name), PLANCK).split(path.sep).join("/");
  return text.replace(/(from )"planck";/g, `$1"${place}";`);
}

/**
 * Has declarations import from the files behind the doors of rooms: a door would bring the declarations of all that it
 * passes on, and with them types of the platform that a consumer may not have.
 *
 * @param {string} folder
 */
function enterDirectly(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".d.ts"),
  );
  /** @type {Map<string, Map<string, string>>} */
  const doors = new Map();
  const listed = /export (?:type )?(?:\{([^}]*)\}|\*) from "([^"]+)\.js";/g;
  for (const name of files) {
    const text = readFileSync(path.join(folder, name), "utf8");
    if (
      name.split(path.sep).length !== 2 ||
      name.endsWith("index.d.ts") ||
      text.replace(listed, "").trim() !== ""
    )
      continue;
    const own = new Map();
    for (const [, names, from = ""] of text.matchAll(listed)) {
      const place = path.join(path.dirname(name), from);
      for (const one of names?.split(",") ?? []) own.set(one.trim().replace(/^type /, ""), place);
      if (names === undefined) for (const [one, at] of namesIn(folder, place)) own.set(one, at);
    }
    doors.set(name.replace(/\.d\.ts$/, ""), own);
  }
  for (const name of files) {
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    /** @param {string} address @param {string} one */
    const direct = (address, one) => {
      const place = doors.get(path.join(path.dirname(name), address))?.get(one);
      if (place === undefined) return address;
      const relative = path.relative(path.dirname(name), place).split(path.sep).join("/");
      return relative.startsWith(".") ? relative : `./${relative}`;
    };
    const finished = named(text)
      .replace(
        /^(import|export) (type )?\{([^}]*)\} from "(\.[^"]+)\.js";$/gm,
        (whole, kind, type = "", names, address) =>
          doors.has(path.join(path.dirname(name), address))
            ? byPlace(names, (one) => direct(address, one))
                .map(([place, some]) => `${kind} ${type}{ ${some.join(", ")} } from "${place}.js";`)
                .join("\n")
            : whole,
      )
      .replace(
        /import\("(\.[^"]+)\.js"\)\.(\w+)/g,
        (_, address, one) => `import("${direct(address, one)}.js").${one}`,
      );
    if (finished !== text) writeFileSync(file, finished);
  }
  // The package's first entry has some names of others, which are not to bring all of theirs.
  const first = path.join(folder, "index.d.ts");
  const text = readFileSync(first, "utf8");
  const finished = text.replace(
    /^export (type )?\{([^}]*)\} from "\.\/([^"]+)\.js";$/gm,
    (_, type = "", names, from) => {
      const places = new Map(namesIn(folder, from));
      return byPlace(names, (one) => places.get(one) ?? from)
        .map(([place, some]) => `export ${type}{ ${some.join(", ")} } from "./${place}.js";`)
        .join("\n");
    },
  );
  if (finished !== text) writeFileSync(first, finished);
}

/**
 * Imports by name what is imported under a common one, which would bring all of a door.
 *
 * @param {string} text
 */
const named = (text) =>
  [...text.matchAll(/^import \* as (\w+) from ("[^"]+");\n/gm)].reduce((all, [whole, common, from]) => {
    const uses = new RegExp(`\\b${common}\\.(\\w+)`, "g");
    if (new RegExp(`\\b${common}\\b(?!\\.)`).test(all.replace(whole, ""))) return all;
    const names = [...new Set([...all.matchAll(uses)].map(([, name]) => name))];
    const imported = names.map((name) => `${name} as ${common}_${name}`).join(", ");
    return all.replace(whole, `import { ${imported} } from ${from};\n`).replace(uses, `${common}_$1`);
  }, text);

/**
 * The names that a file of declarations exports, and the files that they are from.
 *
 * @param {string} folder
 * @param {string} place of the file, without its ending
 * @returns {[name: string, place: string][]}
 */
function namesIn(folder, place) {
  const text = readFileSync(path.join(folder, `${place}.d.ts`), "utf8");
  const own = /^export (?:declare )?(?:abstract )?(?:const|class|function|interface|type|enum) (\w+)/gm;
  return [
    ...[...text.matchAll(own)].map(([, name = ""]) => /** @type {[string, string]} */ ([name, place])),
    ...[...text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from "(\.[^"]+)\.js")?/gm)].flatMap(
      ([, names = "", from]) =>
        names.split(",").map((one) => {
          const behind =
            from === undefined || / as /.test(one) ? place : path.join(path.dirname(place), from);
          return /** @type {[string, string]} */ ([one.trim().replace(/^type |^.* as /g, ""), behind]);
        }),
    ),
    ...[...text.matchAll(/^export (?:type )?\* from "([^"]+)\.js";/gm)].flatMap(([, from = ""]) =>
      namesIn(folder, path.join(path.dirname(place), from)),
    ),
  ];
}

/**
 * @param {string} names of a list of imports
 * @param {(name: string) => string} placeOf
 */
function byPlace(names, placeOf) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  // Lists of several lines end with a comma.
  for (const one of names.split(",").flatMap((name) => name.trim() || [])) {
    const place = placeOf(one.replace(/^type /, "").replace(/ as .*$/, ""));
    found.set(place, [...(found.get(place) ?? []), one]);
  }
  return [...found];
}

/** What the compiler puts before the first import of an address that only the running program knows. */
const ADDRESS_HELPER = /^var __rewriteRelativeImportExtension = [\s\S]*?^};\n/m;

/**
 * Such imports as the sources have them: the compiler wraps their addresses, to rename sources that there are none of, and
 * bundlers warn of its helper.
 *
 * @param {string} text
 */
const withOwnImports = (text) =>
  text.replace(ADDRESS_HELPER, "").replaceAll("import(__rewriteRelativeImportExtension(", "import((");

const { exports } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** The declarations of the package's entries, relative to dist/lib. */
const entryTypes = Object.values(exports).flatMap(({ types }) =>
  types === undefined ? [] : [path.relative("dist/lib", types)],
);

/**
 * Removes the declarations that no entry's declarations need: more than half of the files.
 *
 * @param {string} folder
 */
function removeUnreached(folder) {
  const reached = new Set(entryTypes);
  for (const name of reached) {
    const text = readFileSync(path.join(folder, name), "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']*)\.js["']/g))
      reached.add(path.join(path.dirname(name), `${target}.d.ts`));
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts") && name !== PLATFORM && !reached.has(name)) rmSync(path.join(folder, name));
}

const PLATFORM = "platform.d.ts";

/**
 * Types that declarations of the package or of its dependencies (zod) name, and that are missing where a consumer has
 * neither the DOM's library nor Node's types. Where one of them is there, its interface takes these members in.
 */
const platformTypes =
  "interface URL {\n  href: string;\n}\ninterface AbortSignal {\n  readonly aborted: boolean;\n}\n";

/**
 * Lets every entry's declarations bring the platform's missing types.
 *
 * @param {string} folder
 */
function declarePlatform(folder) {
  writeFileSync(path.join(folder, PLATFORM), platformTypes);
  for (const types of entryTypes) {
    const file = path.join(folder, types);
    const reference = path.relative(path.dirname(file), path.join(folder, PLATFORM));
    const address = reference.split(path.sep).join("/");
    writeFileSync(file, `/// <reference path="${address}" />\n${readFileSync(file, "utf8")}`);
  }
}
