/** The registered environment that a manifest asks for. */
import { findAlgorithm } from "../../rl/algorithms/registry.ts";
import { agentsProblem } from "../../rl/contract/unsuited.ts";
import {
  type EnvironmentOptions,
  findEnvironment,
  listEnvironments,
  type RegisteredEnvironment,
} from "../../rl/environments/index.ts";
import { dottedPath, SpecError, type SpecIssue, type TrainingManifest } from "../../specs/index.ts";
import { reasonOf } from "../../storage/storageError.ts";
import type { AgentFacts } from "../files/agentFile.ts";

/** Settings of the environment section that only environments of other builds have. */
const FOREIGN = ["entrypoint", "factory", "path", "env_wrappers"] as const;

const NAME = ["environment", "name"] as const;
const CONFIG = ["environment", "env_config"] as const;

const refuse = (segments: readonly string[], code: SpecIssue["code"], message: string): SpecIssue => ({
  code,
  path: dottedPath(segments),
  segments,
  message,
});

const settingsOf = ({ environment }: TrainingManifest): Readonly<Record<string, unknown>> => environment;

/** The environment's options beside its name, as the manifest gives them; null for none. */
export function envConfigOf(manifest: TrainingManifest): EnvironmentOptions | null {
  const { env_config } = settingsOf(manifest);
  return typeof env_config === "object" && env_config !== null && Object.keys(env_config).length > 0
    ? (env_config as EnvironmentOptions)
    : null;
}

/** What an option's error says, at its place in the manifest. */
function configIssues(error: unknown, id: string): SpecIssue[] {
  if (!(error instanceof SpecError)) return [refuse(CONFIG, "value", reasonOf(error))];
  // Environments name themselves where a manifest has its section.
  const own = id.split(".").length;
  return error.issues.map((issue) => {
    const segments = [...CONFIG, ...issue.segments.slice(own)];
    return { ...issue, segments, path: dottedPath(segments) };
  });
}

/** What of the section would make it an environment that this build cannot have. */
function foreignIssues(settings: Readonly<Record<string, unknown>>): SpecIssue[] {
  const foreign = FOREIGN.filter((key) => {
    const value = settings[key] ?? {};
    return typeof value === "string" || Object.keys(value).length > 0;
  });
  const issues = foreign.map((key) =>
    refuse(
      ["environment", key],
      "unsupported",
      `is known to the format and not supported by this build, whose environments are: ${listEnvironments().join(", ")}; leave it out, or give LocalTrainer a live environment`,
    ),
  );
  const { env_config } = settings;
  if (typeof env_config !== "string") return issues;
  const message = `found a file's name ("${env_config}"), which this build does not read; give the options themselves`;
  return [...issues, refuse(CONFIG, "unsupported", message)];
}

/**
 * @throws SpecError at `environment.name` for a name that this build lacks or an environment of one agent where the
 *   algorithm trains several, and the reverse, at `environment.env_config` for options that
 *   the environment does not have, at settings that would make it another one, and at `algorithm.name` for an algorithm
 *   that this build does not train.
 */
export function environmentOf(manifest: TrainingManifest): RegisteredEnvironment {
  // Of an algorithm that does not run, nobody needs to hear that its environment is unknown too.
  const algorithm = findAlgorithm(manifest.algorithm.name);
  const issues = foreignIssues(settingsOf(manifest));
  if (issues.length > 0) throw new SpecError(issues, "manifest");
  const { name } = manifest.environment;
  let id: string;
  try {
    id = findEnvironment(name).id;
  } catch (error) {
    throw new SpecError([refuse(NAME, "value", reasonOf(error))], "manifest");
  }
  const found = configured(manifest, id);
  const problem = agentsProblem(algorithm, found.action_space, name);
  if (problem !== null) throw new SpecError([refuse(NAME, "rule", problem)], "manifest");
  return found;
}

/** The environment of this id with the manifest's options. */
function configured(manifest: TrainingManifest, id: string): RegisteredEnvironment {
  try {
    return findEnvironment(manifest.environment.name, envConfigOf(manifest));
  } catch (error) {
    throw new SpecError(configIssues(error, id), "manifest");
  }
}

/** What an agent file says of where a run in a registered environment trained its agents. */
export function agentFactsOf(manifest: TrainingManifest) {
  const { observation_space, action_space } = environmentOf(manifest);
  const { name, num_envs } = manifest.environment;
  const env_config = envConfigOf(manifest);
  return { observation_space, action_space, environment: name, env_config, num_envs } satisfies AgentFacts;
}
