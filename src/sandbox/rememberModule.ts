import { EnvironmentError, type EnvironmentOptions } from "../rl/faces.ts";
import { describeValue, type SpaceJson, spaceFromJson, spaceToJson } from "../rl/spaces.ts";
import { exportName, type UserModule } from "./moduleSource.ts";
import {
  knownUserEnvironment,
  rememberUserEnvironment,
  type UserEnvironment,
  type UserPlace,
} from "./userEnvironments.ts";

/** What a thread needs to open a sandbox for the environment, and to check agents against it beforehand. */
export interface OpenedModule
  extends Pick<
    UserEnvironment,
    "module" | "entrypoint" | "timeout_s" | "stated_limit" | "players" | "saves"
  > {
  readonly observation_space: SpaceJson;
  readonly action_space: SpaceJson;
}

export const openedModule = (environment: UserEnvironment): OpenedModule => {
  const { module, entrypoint, timeout_s, stated_limit, players, saves, observation_space, action_space } =
    environment;
  return {
    module,
    entrypoint,
    timeout_s,
    stated_limit,
    players,
    saves,
    observation_space: spaceToJson(observation_space),
    action_space: spaceToJson(action_space),
  };
};

/**
 * The environment of an opened module, without running it. Returns the same object for
 * the same module and options.
 */
export function environmentOfModule(
  name: string,
  env_config: EnvironmentOptions | null,
  { module, entrypoint, timeout_s, stated_limit, players, saves, ...spaces }: OpenedModule,
): UserEnvironment {
  const place = { name, version: module.sha256, entrypoint, env_config };
  return (
    knownUserEnvironment(place) ??
    rememberModule(place, module, {
      observation_space: spaceFromJson(spaces.observation_space),
      action_space: spaceFromJson(spaces.action_space),
      stated_limit,
      players,
      saves,
      timeout_s,
      warnings: [],
    })
  );
}

/** Evaluation truncates episodes after this many steps if no limit is known. */
const LONGEST_EPISODE = 100_000;

/** Facts about a module's environment that opening it reveals. */
type ModuleFacts = Pick<
  UserEnvironment,
  "observation_space" | "action_space" | "stated_limit" | "players" | "saves" | "timeout_s" | "warnings"
>;

/** Registers a module's environment from the facts found when it was opened, without running it. */
export function rememberModule(place: UserPlace, module: UserModule, facts: ModuleFacts): UserEnvironment {
  const { name, entrypoint = null } = place;
  const options = optionsOf(place);
  const environment: UserEnvironment = {
    ...facts,
    id: name,
    max_episode_steps: facts.stated_limit ?? LONGEST_EPISODE,
    reward_threshold: null,
    ...(Object.keys(options).length > 0 && { options }),
    load: () => Promise.reject(new Error(`${name}: is a user's module, which runs only in a sandbox`)),
    module,
    entrypoint: exportName(entrypoint),
  };
  rememberUserEnvironment(place, environment);
  return environment;
}

/** Options of the environment. @throws EnvironmentError for a file name: options must be given inline. */
export function optionsOf({ name, env_config }: UserPlace) {
  if (typeof env_config !== "string") return env_config ?? {};
  throw new EnvironmentError(
    `${name}: env_config: found ${describeValue(env_config)}, allowed an object with the options`,
  );
}
