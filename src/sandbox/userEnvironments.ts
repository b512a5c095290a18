/** Environments of users that this thread has opened, by what manifests say of them. */
import type { EnvironmentOptions } from "../rl/environments/face/environmentOptions.ts";
import type { HostEnvironmentDefinition } from "../rl/environments/index.ts";
import { isUserEnvironment } from "../specs/isUserEnvironment.ts";
import type { UserModule } from "./moduleSource.ts";

/** What a manifest's environment section says of a module. */
export interface UserPlace {
  /** user/<name> of a module that is kept; any name beside a path. */
  readonly name: string;
  /** SHA-256 of the module; null, or another word, for whichever is there. */
  readonly version?: string | number | null;
  /** Where the module lies; null for one that is kept under its name. */
  readonly path?: string | null;
  /** "module:Name" or "Name"; null for the default export. */
  readonly entrypoint?: string | null;
  readonly env_config?: EnvironmentOptions | string | null;
}

/** An environment of a module: known as those that JavaScript steps, and stepped in a sandbox alone. */
export interface UserEnvironment extends HostEnvironmentDefinition {
  readonly module: UserModule;
  /** The export's name; null for the default one. */
  readonly entrypoint: string | null;
  /** Seconds that each answer of its sandbox may take. */
  readonly timeout_s: number;
  /** Steps after which episodes end for certain, as far as anybody said; null for nobody. */
  readonly stated_limit: number | null;
  /** What its owner should know: what validation warned of. */
  readonly warnings: readonly string[];
}

const known = new Map<string, UserEnvironment>();
/** Why places have no environment. */
const faults = new Map<string, string>();

const SHA256 = /^[0-9a-f]{64}$/;
const MODULE = /\.m?[jt]s$/;

/** Whether a section names a module of JavaScript or TypeScript. */
export const namesModule = ({ name, path }: UserPlace): boolean =>
  isUserEnvironment(name) || (typeof path === "string" && MODULE.test(path));

/** Whether a version is a module's SHA-256. */
export const isHash = (version: unknown): version is string =>
  typeof version === "string" && SHA256.test(version);

function keyOf({ name, version, path, entrypoint, env_config }: UserPlace, pinned: string | null): string {
  const options = Object.entries(typeof env_config === "object" && env_config ? env_config : {});
  const sorted = options.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  const place = [name, path ?? null, entrypoint ?? null, sorted];
  return JSON.stringify([...place, pinned ?? (isHash(version) ? version : null)]);
}

/** Makes an environment known to all that ask for its manifest, as it is and with its hash as version. */
export function rememberUserEnvironment(place: UserPlace, environment: UserEnvironment): void {
  faults.delete(keyOf(place, null));
  known.set(keyOf(place, null), environment);
  known.set(keyOf(place, environment.module.sha256), environment);
}

/** Notes why a place has no environment, for all that ask for its manifest. */
export function rememberFault(place: UserPlace, message: string): void {
  known.delete(keyOf(place, null));
  faults.set(keyOf(place, null), message);
}

/** Why a place has no environment; null where nobody has tried to open it. */
export const knownFault = (place: UserPlace): string | null => faults.get(keyOf(place, null)) ?? null;

/** The environment of a section; null where nobody has opened it. */
export const knownUserEnvironment = (place: UserPlace): UserEnvironment | null =>
  namesModule(place) ? (known.get(keyOf(place, null)) ?? null) : null;
