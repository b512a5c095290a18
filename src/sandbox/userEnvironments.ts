/** User environments that this thread has opened, by their place in a manifest. */
import type { HostEnvironmentDefinition } from "../rl/environments.ts";
import type { EnvironmentOptions } from "../rl/faces.ts";
import { isUserEnvironment } from "../specs/sections.ts";
import type { UserModule } from "./moduleSource.ts";

/** The fields of a manifest's environment section that identify a module. */
export interface UserPlace {
  /** user/<name> for a stored module; any name if `path` is given. */
  readonly name: string;
  /** SHA-256 of the module; `null` or any other text means the current version. */
  readonly version?: string | number | null;
  /** Path of the module; `null` for one stored under its name. */
  readonly path?: string | null;
  /** "module:Name" or "Name"; `null` for the default export. */
  readonly entrypoint?: string | null;
  readonly env_config?: EnvironmentOptions | string | null;
}

/**
 * A module's environment: defined like any environment stepped in JavaScript, but stepped only in a sandbox.
 */
export interface UserEnvironment extends HostEnvironmentDefinition {
  readonly module: UserModule;
  /** Name of the export; `null` for the default export. */
  readonly entrypoint: string | null;
  /** Time limit for each reply of its sandbox, in seconds. */
  readonly timeout_s: number;
  /** Steps after which episodes are certain to end; `null` if no limit is known. */
  readonly stated_limit: number | null;
  /** Ids of the players of a game in turns; `null` for other environments. */
  readonly players: readonly string[] | null;
  /** Whether it has `save` and `load`. */
  readonly saves: boolean;
  /** Warnings from validation, for the module's owner. */
  readonly warnings: readonly string[];
}

const known = new Map<string, UserEnvironment>();
/** Why opening failed, by place. */
const faults = new Map<string, string>();

const SHA256 = /^[0-9a-f]{64}$/;
const MODULE = /\.(?:m?[jt]s|ya?ml|json)$/;

/** Whether a section names a JavaScript or TypeScript module, or the task of a robot. */
export const namesModule = ({ name, path }: UserPlace): boolean =>
  isUserEnvironment(name) || (typeof path === "string" && MODULE.test(path));

/** How the text of a robot begins, which no module does. */
const ROBOT = '{"robot":';

/** Whether a module's source, or what is made of it, is a robot. */
export const isRobot = (source: string): boolean => source.startsWith(ROBOT);

/** Whether a version is a module's SHA-256. */
export const isHash = (version: unknown): version is string =>
  typeof version === "string" && SHA256.test(version);

function keyOf({ name, version, path, entrypoint, env_config }: UserPlace, pinned: string | null): string {
  const options = Object.entries(typeof env_config === "object" && env_config ? env_config : {});
  const sorted = options.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  const place = [name, path ?? null, entrypoint ?? null, sorted];
  return JSON.stringify([...place, pinned ?? (isHash(version) ? version : null)]);
}

/** Registers an environment under its place, both as given and with the module's hash as version. */
export function rememberUserEnvironment(place: UserPlace, environment: UserEnvironment): void {
  faults.delete(keyOf(place, null));
  known.set(keyOf(place, null), environment);
  known.set(keyOf(place, environment.module.sha256), environment);
}

/** Records why a place has no environment. */
export function rememberFault(place: UserPlace, message: string): void {
  known.delete(keyOf(place, null));
  faults.set(keyOf(place, null), message);
}

/** Why a place has no environment; `null` if no attempt to open it failed. */
export const knownFault = (place: UserPlace): string | null => faults.get(keyOf(place, null)) ?? null;

/** The environment of a section; `null` if it has not been opened. */
export const knownUserEnvironment = (place: UserPlace): UserEnvironment | null =>
  namesModule(place) ? (known.get(keyOf(place, null)) ?? null) : null;
