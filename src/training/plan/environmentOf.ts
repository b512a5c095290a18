/** The environment that a manifest names. */

import { findAlgorithm } from "../../agents/members.ts";
import { listAlgorithms, type TrainingManifest } from "../../manifests/index.ts";
import { agentsProblem } from "../../rl/contract.ts";
import { findEnvironment, isCompiled, type RegisteredEnvironment } from "../../rl/environments.ts";
import { type EnvironmentOptions, FRAME_STACK, frameStackOf } from "../../rl/faces.ts";
import { type AgentSpaces, hostLayout } from "../../rl/spaces.ts";
import {
  knownFault,
  knownUserEnvironment,
  namesModule,
  type UserEnvironment,
  type UserPlace,
} from "../../sandbox/environments.ts";
import { dottedPath, SpecError, type SpecIssue } from "../../specs/checks.ts";
import { NO_ENVIRONMENT } from "../../specs/sections.ts";
import { reasonOf } from "../../storage/files.ts";
import { isDataAlone, requireDataSpaces } from "./dataSpaces.ts";
import { hasShapingOptions, shapingIssues, shapingOptions } from "./environmentShaping.ts";

/** Layout of replay buffer rows for members that train in a registered environment. */
export const memoryLayout = (environment: RegisteredEnvironment): AgentSpaces =>
  isCompiled(environment) ? environment : hostLayout(environment);

/** Settings of the environment section that this build does not support. */
const FOREIGN = ["entrypoint", "factory", "path"] as const;
/** Unsupported settings for modules of users. */
const FOREIGN_TO_MODULES = ["factory"] as const;

const NAME = ["environment", "name"] as const;
const PATH = ["environment", "path"] as const;
const FRAMES = ["environment", "frame_stack"] as const;
const CONFIG = ["environment", "env_config"] as const;

const refuse = (segments: readonly string[], code: SpecIssue["code"], message: string): SpecIssue => ({
  code,
  path: dottedPath(segments),
  segments,
  message,
});

const settingsOf = ({ environment }: TrainingManifest): Readonly<Record<string, unknown>> => environment;

/** The environment's options in the manifest, those that fields of the section stand for included; null for none. */
export function envConfigOf(manifest: TrainingManifest): EnvironmentOptions | null {
  const { env_config } = settingsOf(manifest);
  const given = typeof env_config === "object" ? (env_config as EnvironmentOptions | null) : null;
  const options = { ...given, ...shapingOptions(manifest) };
  return Object.keys(options).length > 0 ? options : null;
}

/** The issues of an option's error, with paths in the manifest. */
function configIssues(error: unknown, id: string): SpecIssue[] {
  if (!(error instanceof SpecError)) return [refuse(CONFIG, "value", reasonOf(error))];
  // Environments use their own id in place of the manifest's section.
  const own = id.split(".").length;
  return error.issues.map((issue) => {
    const segments = [...CONFIG, ...issue.segments.slice(own)];
    return { ...issue, segments, path: dottedPath(segments) };
  });
}

/** Issues of the settings that this build does not support. */
function foreignIssues(settings: Readonly<Record<string, unknown>>, isModule: boolean): SpecIssue[] {
  const foreign = (isModule ? FOREIGN_TO_MODULES : FOREIGN).filter((key) => {
    const value = settings[key] ?? {};
    return typeof value === "string" || Object.keys(value).length > 0;
  });
  const issues = foreign.map((key) =>
    refuse(
      ["environment", key],
      "unsupported",
      `is known to the format, but not supported by this build, whose environments \`rlkit list environments\` prints; leave it out, set path to a JavaScript or TypeScript module, or give LocalTrainer a live environment`,
    ),
  );
  const { env_config } = settings;
  if (typeof env_config !== "string") return issues;
  const message = `found a file's name ("${env_config}"), which this build does not read; give the options themselves`;
  return [...issues, refuse(CONFIG, "unsupported", message)];
}

/** The environment section, if it names a user's module; else null. */
export function userPlaceOf(manifest: TrainingManifest): UserPlace | null {
  const { environment } = manifest;
  const { env_type } = environment;
  if ((env_type !== "gym" && env_type !== "offline") || !namesModule(environment)) return null;
  const isAsGiven = typeof environment.env_config === "string" || !hasShapingOptions(manifest);
  return isAsGiven ? environment : { ...environment, env_config: envConfigOf(manifest) };
}

/** The opened module of a manifest's environment; null if it names none, or the module is not open. */
export function userEnvironmentOf(manifest: TrainingManifest): UserEnvironment | null {
  const place = userPlaceOf(manifest);
  return place && knownUserEnvironment(place);
}

/** @throws SpecError for a module that was not opened in this thread. */
function requireOpened(place: UserPlace): UserEnvironment {
  const found = knownUserEnvironment(place);
  if (found) return found;
  const { name, path = null } = place;
  const unopened = `found "${path ?? name}", which has not been opened; LocalTrainer.fromManifest, rlkit train and the workbench open modules`;
  const message = knownFault(place) ?? unopened;
  throw new SpecError([refuse(path === null ? NAME : PATH, "value", message)], "manifest");
}

/**
 * @throws SpecError at `environment.name` for an unknown name, or a number of agents (one or several) that
 *   the algorithm does not train; at `environment.env_config` for unknown options; at unsupported settings;
 *   and at `algorithm.name` for an algorithm that this build does not train.
 */
export function environmentOf(manifest: TrainingManifest): RegisteredEnvironment {
  // Checked first: for an unsupported algorithm, an unknown environment is not worth reporting.
  const algorithm = findAlgorithm(manifest.algorithm.name);
  const place = userPlaceOf(manifest);
  const issues = [...foreignIssues(settingsOf(manifest), place !== null), ...shapingIssues(manifest)];
  if (issues.length > 0) throw new SpecError(issues, "manifest");
  const { name } = manifest.environment;
  if (manifest.environment.env_type === "bandit")
    throw new SpecError(
      [
        refuse(
          NAME,
          "unsupported",
          "is a bandit's table, which only LocalTrainer.fromManifest, rlkit train and trainBandits can read",
        ),
      ],
      "manifest",
    );
  if (isDataAlone(manifest)) {
    const issues = aloneIssues(manifest);
    if (issues.length > 0) throw new SpecError(issues, "manifest");
    return findEnvironment(NO_ENVIRONMENT, requireDataSpaces(manifest));
  }
  if (name === NO_ENVIRONMENT)
    throw new SpecError([refuse(NAME, "value", withoutEnvironment(manifest))], "manifest");
  const found = place ? requireOpened(place) : registered(manifest);
  const problem = agentsProblem(algorithm, found.action_space, name);
  if (problem !== null) throw new SpecError([refuse(NAME, "rule", problem)], "manifest");
  return found;
}

/** What is wrong where agents that act have no environment. */
function withoutEnvironment({ algorithm }: TrainingManifest): string {
  const others = listAlgorithms().filter(({ offline }) => offline);
  return `found "${NO_ENVIRONMENT}", and ${algorithm.name} learns by acting; name an environment, or learn from a data set by ${others.map(({ name }) => name).join(", ")}`;
}

/** Settings of an environment in a manifest that has none. */
export function aloneIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const what = `has no effect: environment.name is "${NO_ENVIRONMENT}"; leave it out`;
  return Object.keys(envConfigOf(manifest) ?? {}).map((option) => {
    const path =
      option === FRAME_STACK
        ? FRAMES
        : settingsOf(manifest)[option]
          ? ["environment", option]
          : [...CONFIG, option];
    return refuse(path, "rule", what);
  });
}

/** The registered environment that the manifest names, with its options. */
function registered(manifest: TrainingManifest): RegisteredEnvironment {
  const { name } = manifest.environment;
  let id: string;
  try {
    id = findEnvironment(name).id;
  } catch (error) {
    throw new SpecError([refuse(NAME, "value", reasonOf(error))], "manifest");
  }
  const options = envConfigOf(manifest) ?? {};
  try {
    const { frames, others } = frameStackOf(id, options);
    const alone = findEnvironment(name, others);
    if (frames === 1) return alone;
  } catch (error) {
    throw new SpecError(configIssues(error, id), "manifest");
  }
  try {
    return findEnvironment(name, options);
  } catch (error) {
    throw new SpecError([refuse(FRAMES, "rule", reasonOf(error))], "manifest");
  }
}

/** Upper bound of the steps in an episode of a manifest's environment; null if none is defined. */
export function longestEpisode(manifest: TrainingManifest): number | null {
  const user = userEnvironmentOf(manifest);
  return user ? user.stated_limit : environmentOf(manifest).max_episode_steps;
}
