/** Files, scripts, commands, options, exports and fields that the documentation names are there. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { repositoryFiles } from "../../scripts/lib/importGraph.mjs";
import { runCli } from "../cli/support.ts";
import { pages } from "./pages.ts";

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** Slashes at both ends let the end of a path be found, also that of a folder. */
const places = repositoryFiles()
  .map((file) => `/${file}/`)
  .join("\n");

/** What guides tell readers to create, and rows that are named by their reader. */
const MADE_BY_READERS =
  /^(?:src\/rl\/environments\/balloon\/Balloon|src\/tracking\/beacon\/BeaconTracker|bench\/results\/ROW)\./;
const FOLDERS = "src|tests|docs|scripts|bench|platform|examples|etc|site";
const PATH = new RegExp(
  String.raw`^(?:(?:${FOLDERS})(?:/[\w.@*-]+)+|[\w.@-]+(?:/[\w.@*-]+)+\.(?:ts|tsx|mjs|md|py|yaml|html))/?$`,
);

/** Paths in code spans, and in comments that say to which file a block of code belongs. */
const pathsOf = (text: string): string[] =>
  [...matches(text, /`([^`\n]+)`/g), ...matches(text, /^\/\/ ([\w./-]+)/gm)].filter(
    (name) => PATH.test(name) && !MADE_BY_READERS.test(name),
  );

const isThere = (name: string): boolean =>
  places.includes(`/${(name.split("*")[0] ?? "").replace(/\/$/, "")}${name.includes("*") ? "" : "/"}`);

const SOURCE =
  /^(?:(?:src|platform|tests(?!\/docs\/named)|scripts|bench|examples|site|\.github)\/.*|[\w.]+)\.(?:[cm]?[jt]sx?|json|ya?ml|html|py)$/;
/** Each word of the sources and of paths: a name that no source has is an export, a field or a function that is gone. */
const words = new Set(
  [
    places,
    ...repositoryFiles()
      .filter((file) => SOURCE.test(file))
      .map(read),
  ].flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []),
);

/** Names of other libraries, of data and of readers' own code. The pages of ABOUT_OTHERS have many. */
const FOREIGN = new Set(
  `LazyFrames NormalizeObservation NormalizeReward early_terminate from_manifest default_camera_config
  _index_0 _index_1 namespace_metadata adversary_2 prob is_rainy fickle_passenger node16 pg_dump pg_hba conf
  onPoint snake_case x_schedule x_final scheduled_clip_coef scheduled_ent_coef`.split(/\s+/),
);
const ABOUT_OTHERS = /^docs\/(?:decisions|guides\/(?:from-other-libraries|agilerl-tutorials))/;

/** Code spans that are a name, or names with dots between. */
const namesOf = (text: string): string[] =>
  matches(text.replaceAll(/^```[^]*?^```/gm, ""), /`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?`/g);

const isKnown = (name: string): boolean =>
  name.split(".").every((word) => words.has(word) || FOREIGN.has(word));

/** Calls of the command with options, in blocks and spans of code. */
const callsOf = (text: string): string[] =>
  matches(text, /(?:^|`|npx |-- )rlkit( [a-z][^`\n|#]*)/gm).filter((call) => call.includes(" --"));

/** What the help of a command does not have. */
async function unknownOptions(call: string): Promise<string[]> {
  const [first = "", second = ""] = call.trim().split(" ");
  const helps = await Promise.all([runCli([first, second, "--help"]), runCli([first, "--help"])]);
  const help = helps.map(({ stdout }) => stdout).join("\n");
  return matches(call, /\s--([a-z][a-z-]*)/g).filter((option) => !new RegExp(`--${option}\\b`).test(help));
}

const scriptsOf = (file: string): string[] => Object.keys(JSON.parse(read(file)).scripts);
/** Those of this package, and of the project that `rlkit init` makes. */
const scripts = ["package.json", "examples/init/package.json"].flatMap(scriptsOf);

/** What is named wrongly, with its page. */
const faults = (of: (text: string) => readonly string[], without = /^$/): string[] =>
  ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...pages]
    .filter((page) => !without.test(page))
    .flatMap((page) => of(read(page)).map((name) => `${page}: ${name}`));

describe("the documentation", () => {
  it("names files that are there", () => {
    expect(faults((text) => pathsOf(text).filter((name) => !isThere(name)))).toEqual([]);
  });

  it("names scripts that are there", () => {
    const named = (text: string) => matches(text, /npm run (?:--silent )?([\w:]+)/g);
    expect(faults((text) => named(text).filter((name) => !scripts.includes(name)))).toEqual([]);
  });

  it("names exports, fields and functions that are there", () => {
    expect(faults((text) => namesOf(text).filter((name) => !isKnown(name)), ABOUT_OTHERS)).toEqual([]);
  });

  it("names options that the command has", async () => {
    const unknown = await Promise.all(
      faults(callsOf).map(async (call) =>
        (await unknownOptions(call.slice(call.indexOf(": ") + 2))).map((option) => `${call}: --${option}`),
      ),
    );
    expect(unknown.flat()).toEqual([]);
  });
});

it("finds what is named", async () => {
  expect(pathsOf("`src/no.ts`, `src/rl/*.ts`, `a/b` and `lr`\n// src/there.ts, above")).toEqual([
    "src/no.ts",
    "src/rl/*.ts",
    "src/there.ts",
  ]);
  expect(["src/no.ts", "src/rl/*.ts", "rl/algorithms"].map(isThere)).toEqual([false, true, true]);
  expect(namesOf("`trainOnPolicy()`, `network.no_such_key`, `a b`\n```ts\n`no`\n```")).toEqual([
    "trainOnPolicy",
    "network.no_such_key",
  ]);
  expect(["trainOnPolicy", "network.latent_dim", "network.no_such_key"].map(isKnown)).toEqual([
    true,
    true,
    false,
  ]);
  expect(callsOf("run `rlkit train m.yaml --seed 1`\nnpx rlkit list --json # all")).toEqual([
    " train m.yaml --seed 1",
    " list --json ",
  ]);
  expect(await unknownOptions(" train m.yaml --see 1 --seed 1")).toEqual(["see"]);
});
