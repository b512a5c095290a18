import { EnvironmentError } from "../rl/environments/face/EnvironmentError.ts";
import { describeValue } from "../rl/spaces/describeValue.ts";
import { exportName, type UserModule } from "./moduleSource.ts";
import { rememberUserEnvironment, type UserEnvironment, type UserPlace } from "./userEnvironments.ts";

/** Evaluation cuts episodes there, of which nobody said when they end. */
const LONGEST_EPISODE = 100_000;

/** What opening a module tells of its environment. */
export type ModuleFacts = Pick<
  UserEnvironment,
  "observation_space" | "action_space" | "stated_limit" | "timeout_s" | "warnings"
>;

/** Makes the environment of a module known by what was found when it was opened, without running it. */
export function rememberModule(place: UserPlace, module: UserModule, facts: ModuleFacts): UserEnvironment {
  const { name, entrypoint = null } = place;
  const options = optionsOf(place);
  const environment: UserEnvironment = {
    ...facts,
    id: name,
    max_episode_steps: facts.stated_limit ?? LONGEST_EPISODE,
    reward_threshold: null,
    ...(Object.keys(options).length > 0 && { options }),
    load: () => Promise.reject(new Error(`${name}: is a user's module, which runs in a sandbox alone`)),
    module,
    entrypoint: exportName(entrypoint),
  };
  rememberUserEnvironment(place, environment);
  return environment;
}

/** The options of a place. @throws EnvironmentError for a file's name: options are given themselves. */
export function optionsOf({ name, env_config }: UserPlace) {
  if (typeof env_config !== "string") return env_config ?? {};
  throw new EnvironmentError(
    `${name}: env_config: found ${describeValue(env_config)}, allowed the options themselves`,
  );
}
