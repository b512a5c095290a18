import type { HubListing } from "../../hub/index.ts";
import {
  type ManifestWarning,
  manifestJsonSchema,
  manifestToObject,
  manifestWarnings,
  SpecError,
  type SpecIssue,
  type TrainingManifest,
  validateManifest,
} from "../../manifests/index.ts";
import { stagesInText } from "../../manifests/text.ts";
import { listEnvironments } from "../../rl/environments.ts";
import type { FileStore } from "../../storage/index.ts";
import {
  dataSpaceIssues,
  dataSpacesOf,
  estimateRun,
  isDataAlone,
  missingFiles,
  type RunEstimate,
  userEnvironmentOf,
} from "../../training/plan.ts";
import { trainedBy, workloadIssues } from "../../training/workloads/registry.ts";
import {
  actingText,
  hubNeeds,
  type LanguageEstimate,
  languageNeeds,
  listingText,
  RL_WORKLOAD,
  trainsLanguageModel,
} from "../../training/workloads.ts";
import { CliError, type CliIo, EXIT, jsonLine, readManifestFile } from "../CliIo.ts";
import type { Command, CommandLine } from "../CommandLine.ts";
import { loadGivenModule, MODULE_OPTION, withModuleHint } from "../modules.ts";
import { openNamedModule, TIMEOUT_OPTION, timeoutOption } from "../userModules.ts";

export const schema: Command = {
  name: "schema",
  summary: "Prints the JSON Schema of manifests, for editors.",
  operands: [],
  options: {},
  run: async (_line, { stdout }) => {
    stdout.write(`${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
    return EXIT.ok;
  },
};

export const validate: Command = {
  name: "validate",
  summary: "Checks a manifest without training, and estimates what its run needs.",
  operands: ["MANIFEST"],
  options: {
    ...MODULE_OPTION,
    ...TIMEOUT_OPTION,
    json: {
      help: "Prints {ok, errors, unsupported, warnings, translations, estimate, downloads} instead of text: {path, message, line, column} for errors and for what is not supported yet, {path, message} for the others; estimate in bytes and seconds; downloads, if there are any, from the Hugging Face hub.",
    },
  },
  run: runValidate,
};

type Problem = Pick<SpecIssue, "path" | "message" | "line" | "column">;

/** The result of checking a manifest. */
interface Verdict {
  readonly errors: readonly SpecIssue[];
  /** Features that the format defines and this build does not support. */
  readonly unsupported: readonly SpecIssue[];
  readonly warnings: readonly ManifestWarning[];
  /** Keys of older releases that were translated to current ones. */
  readonly translations: readonly ManifestWarning[];
  /** Null for a manifest that cannot run, or whose workload has no estimate. */
  readonly estimate: RunEstimate | LanguageEstimate | null;
  /** What the run downloads from the Hugging Face hub before it starts. */
  readonly downloads: readonly HubListing[];
}

async function runValidate(line: CommandLine, io: CliIo): Promise<number> {
  await loadGivenModule(line);
  const path = line.operand(0);
  const json = line.flag("json");
  const text = await readManifestFile(io.store, path).catch((error: unknown) => {
    if (json && error instanceof CliError)
      reportJson(io, { ...NOTHING_FOUND, errors: [{ path: "", message: error.message }] });
    throw error;
  });
  await openNamedModule(text, () => ({ store: io.store, ...timeoutOption(line) }));
  const report = (name: string, verdict: Verdict): number => {
    if (json) reportJson(io, verdict);
    return reportText(io, name, verdict, json);
  };
  try {
    const options = { environments: listEnvironments(), alsoCheck: workloadIssues };
    const stages = stagesInText(text, path, options);
    if (stages === null) return report(path, await verdictOn(text, path, io.store));
    let code: number = EXIT.ok;
    for (const { name, manifest } of stages) {
      const verdict = await verdictOn(JSON.stringify(manifestToObject(manifest)), path, io.store);
      code = Math.max(code, report(`${path}, stage ${name}`, verdict));
    }
    return code;
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return report(path, { ...NOTHING_FOUND, errors: withModuleHint(error.issues) });
  }
}

const NOTHING_FOUND = {
  errors: [],
  unsupported: [],
  warnings: [],
  translations: [],
  estimate: null,
  downloads: [],
};

async function verdictOn(text: string, path: string, store: FileStore): Promise<Verdict> {
  const checks = { environments: listEnvironments(), name: path };
  const named = validateManifest(text, checks);
  const data = named.success ? await dataSpaceIssues(named.manifest, store) : [];
  const result = validateManifest(text, { ...checks, alsoCheck: workloadIssues });
  // One that cannot run here may still be valid, and has warnings then.
  const read = result.success ? result : validateManifest(text, checks);
  const manifest = read.success ? read.manifest : null;
  const trained = result.success && trainsLanguageModel(result.manifest) ? result.manifest : null;
  const hub = trained && (await hubNeeds(trained, { store }));
  const downloads = hub?.listings ?? [];
  const needs = trained && hub?.issues.length === 0 ? await languageNeeds(trained, store, downloads) : null;
  const issues = result.success
    ? [...(hub?.issues ?? []), ...(needs?.issues ?? []), ...data]
    : withModuleHint(result.issues);
  const unsupported = issues.filter(({ code }) => code === "unsupported");
  const said = new Set(unsupported.map((issue) => issue.path));
  // A bandit's table is not read here; other data may lie elsewhere.
  const isPlanned =
    result.success &&
    result.manifest.environment.env_type !== "bandit" &&
    (!isDataAlone(result.manifest) || dataSpacesOf(result.manifest) !== null);
  return {
    errors: issues.filter(({ code }) => code !== "unsupported"),
    unsupported,
    warnings: [
      ...(manifest === null
        ? []
        : warningsOf(manifest, isPlanned).filter((warning) => !said.has(warning.path))),
      ...(needs?.warnings ?? []).map((message) => ({ path: "", message })),
      ...(result.success ? await missingFiles(result.manifest, store) : []),
    ],
    translations: result.translated,
    estimate:
      isPlanned && trainedBy(result.manifest)?.name === RL_WORKLOAD
        ? estimateRun(result.manifest)
        : (needs?.estimate ?? null),
    downloads,
  };
}

/** What the workload says before it starts, with paths where the manifest or its environment says the same. */
function warningsOf(manifest: TrainingManifest, isPlanned: boolean): ManifestWarning[] {
  const own: readonly ManifestWarning[] = [
    ...manifestWarnings(manifest),
    ...(userEnvironmentOf(manifest)?.warnings ?? []).map((message) => ({
      path: "environment.name",
      message,
    })),
  ];
  const said = new Set(own.flatMap(({ path, message }) => [message, `${path} ${message}`]));
  const workload = isPlanned ? trainedBy(manifest)?.runs : null;
  const others = (workload?.warnings(manifest) ?? []).filter((message) => !said.has(message));
  return [...own, ...others.map((message) => ({ path: "", message }))];
}

function reportText({ stdout, stderr }: CliIo, path: string, verdict: Verdict, json: boolean): number {
  const { errors, unsupported, warnings, translations, estimate, downloads } = verdict;
  const fails = errors.length + unsupported.length > 0;
  if (fails && !json) {
    if (errors.length > 0) stderr.write(`${path}: ${new SpecError(errors, "manifest").message}\n`);
    for (const issue of unsupported) stderr.write(`${path}: not supported yet: ${placed(issue)}\n`);
  }
  for (const warning of [...translations, ...warnings])
    stderr.write(`${[`${path}:`, warning.path, warning.message].filter(Boolean).join(" ")}\n`);
  if (!fails && !json) {
    const lines = [
      `${path} is valid`,
      ...downloads.flatMap(downloadLines),
      ...(estimate ? [needs(estimate)] : []),
    ];
    stdout.write(`${lines.join("\n")}\n`);
  }
  return fails ? EXIT.failed : EXIT.ok;
}

const placed = ({ path, message, line, column }: SpecIssue): string =>
  `${path}: ${message}${line === undefined ? "" : ` (line ${line}, column ${column})`}`;

/** What is downloaded, file by file. */
function downloadLines(listing: HubListing): readonly string[] {
  const { kind, files } = listing;
  const width = Math.max(...files.map(({ path }) => path.length));
  return [
    `the run downloads ${listingText(listing)}`,
    ...files.map(({ path, size }) => `  ${path.padEnd(width)}  ${megabytes(size)}`),
    `  ${kind === "model" ? "its weights are not here yet; the estimate is by their description" : "its rows are not here yet; they count as the longest that are allowed"}`,
  ];
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** What a language-model run needs: its parts in one thread, then all. */
function languageParts(estimate: LanguageEstimate): string {
  const { weights, base_bytes, host_bytes, adapter_bytes, cache_bytes, transient_bytes, largest_bytes } =
    estimate;
  const { population_bytes, thread_bytes, total_bytes, longest, acting, acting_bytes } = estimate;
  // A base that threads share has at least a byte for each weight.
  const threads =
    host_bytes > 0 || base_bytes < weights
      ? `${megabytes(thread_bytes)} in each thread`
      : `${megabytes(thread_bytes)} in one thread, ${megabytes(thread_bytes - base_bytes)} in each further one, since threads share the base`;
  const copy_or_rest =
    acting?.acts === "onnxruntime"
      ? "It takes with its copy of the weights"
      : "Having measured that one takes";
  const runtime = acting_bytes > 0 ? ` ${copy_or_rest} ${megabytes(acting_bytes)}.` : "";
  const copy = host_bytes > 0 ? ` and a copy of ${megabytes(host_bytes)}` : "";
  return [
    `needs about ${megabytes(total_bytes)} of memory: population ${megabytes(population_bytes)}, ${threads}`,
    `  base ${megabytes(base_bytes)}${copy} for ${weights} weights`,
    `  adapters or own weights, and optimisers ${megabytes(adapter_bytes)}; caches ${megabytes(cache_bytes)}`,
    `  transients ${megabytes(transient_bytes)}, of which the largest, usually logits, ${megabytes(largest_bytes)}; sequences have up to ${longest} tokens`,
    ...(acting ? [`  ${actingText(acting)}${runtime}`] : []),
  ].join("\n");
}

function needs(estimate: RunEstimate | LanguageEstimate): string {
  if ("longest" in estimate) return languageParts(estimate);
  const { total_bytes, population_bytes, weights, replay_bytes, thread_bytes, replay_ratio } = estimate;
  const { final_episodes, tie_episodes } = estimate;
  const replay = replay_bytes > 0 ? `, replay buffer ${megabytes(replay_bytes)}` : "";
  const learning =
    replay_ratio === null
      ? ""
      : `; each agent takes up to ${Number(replay_ratio.toFixed(2))} learning steps per transition that it collects`;
  const ties =
    tie_episodes === 0
      ? ""
      : `; near ties add up to ${tie_episodes} episodes to each generation's evaluations`;
  const final = final_episodes === 0 ? "" : `; the final evaluation has up to ${final_episodes} episodes`;
  return `needs about ${megabytes(total_bytes)} of memory: population ${megabytes(population_bytes)} (${weights} weights each)${replay}, ${megabytes(thread_bytes)} in each thread${learning}${ties}${final}`;
}

interface JsonVerdict extends Omit<Verdict, "errors" | "unsupported"> {
  readonly errors: readonly Problem[];
  readonly unsupported: readonly Problem[];
}

function reportJson({ stdout }: CliIo, verdict: JsonVerdict): void {
  const problems = (issues: readonly Problem[]) =>
    issues.map(({ path, message, line, column }) => ({ path, message, line, column }));
  const notes = (warnings: readonly ManifestWarning[]) =>
    warnings.map(({ path, message }) => ({ path, message }));
  jsonLine(stdout, {
    ok: verdict.errors.length + verdict.unsupported.length === 0,
    errors: problems(verdict.errors),
    unsupported: problems(verdict.unsupported),
    warnings: notes(verdict.warnings),
    translations: notes(verdict.translations),
    estimate: verdict.estimate,
    ...(verdict.downloads.length > 0 && { downloads: verdict.downloads }),
  });
}
