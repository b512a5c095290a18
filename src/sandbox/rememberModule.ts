import { EnvironmentError } from "../rl/faces.ts";
import { describeValue } from "../rl/spaces.ts";
import { exportName, type UserModule } from "./moduleSource.ts";
import { rememberUserEnvironment, type UserEnvironment, type UserPlace } from "./userEnvironments.ts";

/** Evaluation truncates episodes after this many steps if no limit is known. */
const LONGEST_EPISODE = 100_000;

/** Facts about a module's environment that opening it reveals. */
export type ModuleFacts = Pick<
  UserEnvironment,
  "observation_space" | "action_space" | "stated_limit" | "timeout_s" | "warnings"
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
