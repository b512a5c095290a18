/** Opens robots of one's own: a model in MuJoCo's format, and a task as data. No code of theirs runs. */
import type { RobotTask } from "../../../../specs/sections.ts";
import type { HostEnvironmentDefinition } from "../../definition/hostEnvironmentDefinition.ts";
import type { NamedFile, RobotFile } from "./modelText.ts";

export interface Robot {
  readonly task: RobotTask;
  /** The model and what it names. */
  readonly files: Readonly<Record<string, RobotFile>>;
}

export type { RobotFile };

/**
 * Compiles a robot's model and binds its task to it.
 * @param id Names the environment in messages.
 * @throws EnvironmentError for a model or task that cannot be used, with file and line, or dotted path; Error with
 *   the command that installs MuJoCo, if it is missing.
 */
export async function openRobot(id: string, robot: Robot): Promise<HostEnvironmentDefinition> {
  // Loaded on first use, because MuJoCo is large.
  const { robotDefinition } = await import("./robotMaker.ts");
  return robotDefinition(id, robot);
}

/**
 * The files that a model's text names, beside it, and the settings that hold for those it includes.
 * @throws EnvironmentError with the line of text that is not XML.
 */
export async function filesOfModel(
  text: string,
  place: string,
  compiler?: Readonly<Record<string, string>>,
): Promise<{ readonly named: readonly NamedFile[]; readonly compiler: Readonly<Record<string, string>> }> {
  const { filesNamed } = await import("./modelText.ts");
  return filesNamed(text, place, compiler);
}
