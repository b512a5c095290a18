/**
 * A robot as one text, in the place of a module's source: so it is stored, hashed, shared and kept with runs as modules are.
 * None of it is code.
 */
import { z } from "zod";
import { filesOfModel, type Robot, type RobotFile } from "../rl/environments.ts";
import { EnvironmentError } from "../rl/faces.ts";
import { SpecError } from "../specs/checks.ts";
import { RobotTask } from "../specs/sections.ts";
import { type FileStore, joinPath, parentPath } from "../storage/index.ts";

/** Whether a path names the task of a robot. */
export const isTaskFile = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path);

const fileSchema = z.union([z.string(), z.strictObject({ base64: z.string() })]);
const schema = z.strictObject({
  /** Name of the task's file, for messages. */
  robot: z.string().min(1),
  /** Its text, in YAML or JSON. */
  task: z.string(),
  files: z.record(z.string(), fileSchema),
});
/** What the text of a robot holds. */
export type RobotText = z.output<typeof schema>;

/** What threads that step a robot get. */
const checkedSchema = schema.extend({ task: RobotTask });

/** Throws the issues of a task's file as an error of its environment. */
async function taskOf({ robot, task }: Pick<RobotText, "robot" | "task">): Promise<RobotTask> {
  // Loaded on demand, with the parser of YAML.
  const { parseSpecText } = await import("../manifests/text.ts");
  try {
    return parseSpecText(RobotTask, task, robot);
  } catch (error) {
    if (error instanceof SpecError) throw new EnvironmentError(error.message, { cause: error });
    throw error;
  }
}

export const robotSource = ({ robot, task, files }: RobotText): string =>
  JSON.stringify({ robot, task, files });

/** @throws EnvironmentError for another text. */
export function readRobotSource(source: string): RobotText {
  try {
    return schema.parse(JSON.parse(source));
  } catch (error) {
    throw new EnvironmentError(
      "found text that is not a robot: its task and its files, as rlkit writes them",
      {
        cause: error,
      },
    );
  }
}

/** A robot's text with its task checked, for {@link checkedRobot}. @throws EnvironmentError with lines of the task. */
export async function robotScript(source: string): Promise<string> {
  const text = readRobotSource(source);
  return JSON.stringify({ ...text, task: await taskOf(text) });
}

export const checkedRobot = (script: string): Robot => checkedSchema.parse(JSON.parse(script));

const LETTERS = 8192;

/** A file's content as the text of a robot holds it: models as text, all else in base64. */
export function robotFile(name: string, bytes: Uint8Array): RobotFile {
  if (/\.(?:xml|obj)$/i.test(name)) return new TextDecoder().decode(bytes);
  let letters = "";
  for (let at = 0; at < bytes.length; at += LETTERS)
    letters += String.fromCharCode(...bytes.subarray(at, at + LETTERS));
  return { base64: btoa(letters) };
}

/**
 * Reads a robot from files: its task, the model that it names, and the files that the model names, beside each other.
 * A file that is missing is left out; opening the robot tells where it is named.
 * @throws EnvironmentError for a task or model that cannot be read; StorageError.
 */
export async function robotAt(store: FileStore, path: string): Promise<string> {
  const task = new TextDecoder().decode(await store.read(path));
  const robot = path.slice(path.lastIndexOf("/") + 1);
  const { robot: model } = await taskOf({ robot, task });
  const beside = (from: string, name: string): string =>
    name.startsWith("/") ? name : joinPath(parentPath(from), name);
  const at = beside(path, model);
  const files: Record<string, RobotFile> = { [model]: robotFile("model.xml", await store.read(at)) };
  const wanted = [model];
  let compiler: Readonly<Record<string, string>> = {};
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const text = files[name];
    if (typeof text !== "string" || !/\.xml$/i.test(name)) continue;
    const found = await filesOfModel(text, name, compiler);
    compiler = found.compiler;
    for (const { name: next } of found.named) {
      const file = beside(at, next);
      if (Object.hasOwn(files, next) || !(await store.exists(file))) continue;
      files[next] = robotFile(next, await store.read(file));
      wanted.push(next);
    }
  }
  return robotSource({ robot, task, files });
}
