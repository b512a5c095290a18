/** Robots of one's own as registered environments: unlike modules they contain no code, so the thread itself steps them. */
import {
  findEnvironment,
  loadEnvironment,
  openRobot,
  provideEnvironment,
  type RegisteredEnvironment,
} from "../rl/environments.ts";
import { EnvironmentError } from "../rl/faces.ts";
import { reasonOf } from "../storage/files.ts";
import type { UserModule } from "./moduleSource.ts";
import { checkedRobot } from "./robotSource.ts";
import { isRobot, type UserEnvironment } from "./userEnvironments.ts";

/** Ids of this thread's robots, or promises of them, by name and hash. */
const opened = new Map<string, Promise<string>>();

/**
 * Opens a robot in this thread, once.
 * @param name Of the environment, for messages.
 * @returns the id that it is registered under here.
 * @throws EnvironmentError for a model or task that cannot be used, and if MuJoCo is missing.
 */
export function robotId(
  name: string,
  { sha256, script }: Pick<UserModule, "sha256" | "script">,
): Promise<string> {
  const id = `${name}@${sha256.slice(0, 16)}`;
  const opening = opened.get(id) ?? registered(id, name, script);
  opened.set(id, opening);
  // Another try may find what was missing.
  opening.catch(() => opened.delete(id));
  return opening;
}

async function registered(id: string, name: string, script: string): Promise<string> {
  try {
    provideEnvironment({ ...(await openRobot(name, checkedRobot(script))), id });
    await loadEnvironment(id);
    return id;
  } catch (error) {
    throw new EnvironmentError(`${name}: ${reasonOf(error)}`, { cause: error });
  }
}

/** A robot as an environment of this thread's registry; any other environment as it is. @throws As `robotId`. */
export async function asRegistered(
  env: RegisteredEnvironment | UserEnvironment,
): Promise<RegisteredEnvironment | UserEnvironment> {
  if (!("module" in env) || !isRobot(env.module.source)) return env;
  return findEnvironment(await robotId(env.id, env.module), env.options);
}
