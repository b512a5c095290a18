import { findEnvironment } from "../rl/environments.ts";
import { EnvironmentError } from "../rl/faces.ts";
import { reasonOf } from "../storage/files.ts";
import { exportName, type UserModule } from "./moduleSource.ts";
import { optionsOf, rememberModule } from "./rememberModule.ts";
import { robotId } from "./robots.ts";
import { SandboxedEnvironment, TIMEOUT_S } from "./SandboxedEnvironment.ts";
import { type OpenSandbox, openSandbox } from "./SandboxPort.ts";
import {
  isHash,
  isRobot,
  knownUserEnvironment,
  type UserEnvironment,
  type UserPlace,
} from "./userEnvironments.ts";
import { moduleFindings } from "./validateModule.ts";

export interface OpenOptions {
  /** Time limit for each reply of a sandbox, in seconds (default: 10). */
  readonly timeout_s?: number;
  /** Random steps of the validation (default: 20,000). */
  readonly validation_steps?: number;
  /** Opens sandboxes (default: this platform's). */
  readonly open?: OpenSandbox;
}

const VALIDATION_STEPS = 20_000;
const VALIDATION_SEED = 1;

/**
 * Opens a module in a sandbox, validates its environment and registers it, so that manifests that name it can be checked
 * and trained. A robot contains no code and is opened in this thread. A module that is already open with the same place
 * and time limit is not opened again.
 * @throws EnvironmentError for a fault in the module or its environment; SandboxTimeoutError and
 *   SandboxLostError if it never finishes, or ends its sandbox.
 */
export async function openUserEnvironment(
  place: UserPlace,
  module: UserModule,
  { timeout_s = TIMEOUT_S, validation_steps = VALIDATION_STEPS, open = openSandbox }: OpenOptions = {},
): Promise<UserEnvironment> {
  const { name, version } = place;
  if (isHash(version) && version !== module.sha256)
    throw new EnvironmentError(
      `${name}: version: found ${version.slice(0, 12)}..., but ${module.name} is ${module.sha256.slice(0, 12)}...; remove version to train with the current module`,
    );
  const before = knownUserEnvironment(place);
  if (before && before.module.sha256 === module.sha256 && before.timeout_s === timeout_s) return before;
  const entrypoint = exportName(place.entrypoint ?? null);
  if (isRobot(module.source)) return openedRobot(place, module, timeout_s);
  const [fault] = await moduleFindings(module, entrypoint);
  if (fault) throw new EnvironmentError(`${name}: ${fault.what}`);
  const options = optionsOf(place);
  const env = await SandboxedEnvironment.open(open, {
    name,
    script: module.script,
    entrypoint,
    options,
    num_envs: 1,
    timeout_s,
  });
  try {
    const { findings } = await env.validate({ steps: validation_steps, seed: VALIDATION_SEED });
    const error = findings.find(({ level }) => level === "error");
    if (error) throw new EnvironmentError(`${name}: validation: ${error.what}`);
    const { single_observation_space: observation_space, single_action_space: action_space } = env;
    return rememberModule(place, module, {
      observation_space,
      action_space,
      stated_limit: env.spec.max_episode_steps,
      players: env.players,
      saves: env.saves,
      timeout_s,
      warnings: findings.map(({ what }) => `${name}: ${what}`),
    });
  } finally {
    env.close();
  }
}

/** Registers a robot, whose model and task are checked when they are bound to each other. */
async function openedRobot(
  place: UserPlace,
  module: UserModule,
  timeout_s: number,
): Promise<UserEnvironment> {
  const { name, entrypoint = null } = place;
  if (entrypoint !== null)
    throw new EnvironmentError(
      `${name}: entrypoint: found "${entrypoint}", but a robot exports nothing; leave it out`,
    );
  const id = await robotId(name, module);
  const options = optionsOf(place);
  try {
    const { observation_space, action_space, max_episode_steps: stated_limit } = findEnvironment(id, options);
    return rememberModule(place, module, {
      observation_space,
      action_space,
      stated_limit,
      players: null,
      saves: false,
      timeout_s,
      warnings: [],
    });
  } catch (error) {
    throw new EnvironmentError(`${name}: env_config: ${reasonOf(error)}`, { cause: error });
  }
}
