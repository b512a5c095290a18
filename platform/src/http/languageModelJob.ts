/** Checks the job of a language model: it may not refer to files on the submitter's machine. */
import { RUBRIC_NAMES } from "../../../src/llm/environments/rubrics.ts";
import { TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_MODELS } from "../../../src/specs/builtInText.ts";
import { dottedPath, SpecError, type SpecIssue, type TrainingManifest } from "../../../src/specs/index.ts";
import { isPretrained } from "../../../src/specs/networks/ManifestNetwork.ts";

/** A setting that may name a file. */
interface Named {
  readonly segments: readonly string[];
  readonly value: string | null;
  /** Allowed names, which do not refer to files. */
  readonly builtIn: readonly string[];
}

function settings({ algorithm, environment, network }: TrainingManifest): readonly Named[] {
  const key = "pretrained_model_name_or_path";
  const section = network !== null && isPretrained(network) ? network : null;
  const own = Object.hasOwn(algorithm, key)
    ? Object.entries(algorithm).find(([name]) => name === key)?.[1]
    : null;
  const models: readonly Named[] = [
    { segments: ["network", key], value: section?.[key] ?? null, builtIn: TEXT_MODELS },
    { segments: ["algorithm", key], value: typeof own === "string" ? own : null, builtIn: TEXT_MODELS },
  ];
  if (environment.env_type !== "rollout" && environment.env_type !== "dataset") return models;
  const named = (name: keyof typeof environment, builtIn: readonly string[]): Named => {
    const value = environment[name];
    return { segments: ["environment", name], value: typeof value === "string" ? value : null, builtIn };
  };
  return [
    ...models,
    named("dataset", TEXT_DATASETS),
    named("dataset_path", TEXT_DATASETS),
    named("rubric_file_path", RUBRIC_NAMES),
    named("entrypoint", TEXT_ENVIRONMENTS),
    named("factory", []),
    named("observation_processor", []),
    named("chat_template_path", []),
  ];
}

interface Job {
  readonly num_nodes: number | null;
  /** Whether its rubric's module is part of the submission. */
  readonly hasReward: boolean;
}

/** @throws SpecError naming every setting that refers to a file, and `num_nodes` above 1. */
export function requireBuiltIn(manifest: TrainingManifest, { num_nodes, hasReward }: Job): void {
  const issues = settings(manifest).flatMap(({ segments, value, builtIn }): SpecIssue[] => {
    const isRubric = builtIn === RUBRIC_NAMES;
    if (value === null || builtIn.includes(value) || (isRubric && hasReward)) return [];
    const sent = isRubric ? ", or a module that is sent as reward_file" : "";
    const allowed = builtIn.length === 0 ? "leave it out" : `allowed ${builtIn.join(", ")}${sent}`;
    const message = `found "${value}"; the platform's workers cannot read your files and modules: ${allowed}, or train locally with rlkit train`;
    return [{ code: "unsupported", path: dottedPath(segments), segments, message }];
  });
  if (num_nodes !== null && num_nodes > 1) {
    const message = `found ${num_nodes}, allowed 1: members of a language model train on one machine`;
    issues.push({ code: "unsupported", path: "num_nodes", segments: ["num_nodes"], message });
  }
  if (issues.length > 0) throw new SpecError(issues, "submission");
}
