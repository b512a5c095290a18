/** A manifest of stages: one model trained by several runs, each of which begins with what the one before learned. */
import { dottedPath, limitIssues, SpecError, type SpecIssue } from "../specs/checks.ts";
import { isMapping, show } from "../specs/messages.ts";
import { checkManifest, type ParseManifestOptions } from "./parseManifestObject.ts";
import { algorithmDefinition } from "./registry.ts";
import type { RawManifest } from "./sweep/parseSweep.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** One stage. */
export interface StageRun {
  /** Its number and algorithm, such as "2 DPO". */
  readonly name: string;
  readonly manifest: TrainingManifest;
}

/** Sections that a stage may have. Its `training` is merged by keys, the others replace the manifest's. */
const SECTIONS = [
  "algorithm",
  "environment",
  "training",
  "mutation",
  "replay_buffer",
  "selection_strategy",
] as const;

/** Fields that determine which weights are trained, with the section of the manifest that is to have them. */
const OF_ALL_STAGES = {
  pretrained_model_name_or_path: "network.pretrained_model_name_or_path",
  lora_config: "network.lora_config",
  full_finetuning: "every stage",
} as const;

/** Whether a manifest, as written, has stages. */
export const hasStages = (raw: unknown): raw is RawManifest => isMapping(raw) && Object.hasOwn(raw, "stages");

const issueAt = (segments: readonly (string | number)[], message: string): SpecIssue => ({
  code: "rule",
  path: dottedPath(segments),
  segments: [...segments],
  message,
});

/** Where the text says what an issue is about: in the stage, or in the section that all stages share. */
function placed(issue: SpecIssue, stage: Readonly<Record<string, unknown>>, at: number): SpecIssue {
  const [section = "", key = ""] = issue.segments.map(String);
  const own = stage[section];
  const isOwn = section === "training" ? isMapping(own) && Object.hasOwn(own, key) : own !== undefined;
  const segments = isOwn ? ["stages", at, ...issue.segments] : issue.segments;
  return {
    ...issue,
    path: dottedPath(segments),
    segments,
    ...(!isOwn && { message: `${issue.message} (in stage ${at + 1})` }),
  };
}

/** What makes a stage train other weights than the first. */
function unlike(first: TrainingManifest, { algorithm }: TrainingManifest): SpecIssue[] {
  if (!algorithmDefinition(algorithm.name).language_model) {
    const message = `found "${algorithm.name}", which does not train language models; stages hand on a language model`;
    return [issueAt(["algorithm", "name"], message)];
  }
  const [due, found]: Readonly<Record<string, unknown>>[] = [{ ...first.algorithm }, { ...algorithm }];
  return Object.entries(OF_ALL_STAGES).flatMap(([field, place]) => {
    const [a, b] = [due?.[field] ?? null, found?.[field] ?? null];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    const message = `found ${JSON.stringify(b)}, allowed ${JSON.stringify(a)}, as in stage 1, whose weights are handed on; set it in ${place}`;
    return [issueAt(["algorithm", field], message)];
  });
}

/**
 * The runs of a manifest with `stages`, each checked. Nothing is trained.
 *
 * @param raw The manifest as written.
 * @param options As for `parseManifest`.
 * @throws {@link SpecError} that names each field of a stage which is not valid, and stages of unlike models or adapters.
 *
 * @example
 * ```ts
 * const stages = expandStages({
 *   network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 64 },
 *   training: { max_steps: 1024 },
 *   stages: [
 *     { algorithm: { name: "SFT" }, environment: { dataset: "rlkit/backwards" } },
 *     { algorithm: { name: "DPO" }, environment: { dataset: "rlkit/polite" } },
 *   ],
 * });
 * console.log(stages.map(({ name }) => name)); // 1 SFT, 2 DPO
 * ```
 */
export function expandStages(raw: RawManifest, options: ParseManifestOptions = {}): readonly StageRun[] {
  const { stages, ...shared } = raw;
  if (!Array.isArray(stages) || stages.length === 0 || !stages.every((stage) => isMapping(stage)))
    throw new SpecError(
      [issueAt(["stages"], `found ${show(stages)}; expected a list of stages, each with sections`)],
      "manifest",
    );
  const found = new Map<string, SpecIssue>();
  const add = (all: readonly SpecIssue[], stage: Readonly<Record<string, unknown>>, at: number): void => {
    // A fault of what all stages share is told once.
    for (const issue of all) {
      const key = `${placed(issue, stage, at).path} ${issue.message}`;
      if (!found.has(key)) found.set(key, placed(issue, stage, at));
    }
  };
  const runs: StageRun[] = [];
  for (const [at, stage] of stages.entries()) {
    const { training, ...own } = Object.fromEntries(
      SECTIONS.flatMap((key) => (key in stage ? [[key, stage[key]]] : [])),
    );
    for (const key of Object.keys(stage).filter((name) => !SECTIONS.some((section) => section === name))) {
      const why =
        key === "network" ? "all stages train the model of the manifest's network" : "no section of a stage";
      add([issueAt([key], `${why}; allowed ${SECTIONS.join(", ")}`)], stage, at);
    }
    const merged =
      isMapping(shared.training) && isMapping(training) ? { ...shared.training, ...training } : training;
    const whole = { ...shared, ...own, ...(merged !== undefined && { training: merged }) };
    const result = checkManifest(whole, options);
    if (!result.success) add(result.issues, stage, at);
    else {
      const { manifest } = result;
      add(unlike(runs[0]?.manifest ?? manifest, manifest), stage, at);
      runs.push({ name: `${at + 1} ${manifest.algorithm.name}`, manifest });
    }
  }
  if (found.size > 0) throw new SpecError(limitIssues([...found.values()]), "manifest");
  return runs;
}
