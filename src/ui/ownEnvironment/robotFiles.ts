/** The files of a robot: read from what a user drops, and shown one by one. */
import {
  isTaskFile,
  type RobotText,
  readRobotSource,
  robotFile,
  robotSource,
} from "../../sandbox/modules.ts";
import type { PickedFile } from "../../workers/protocol.ts";

/** A dropped robot as an environment to save. */
interface DroppedRobot {
  readonly name: string;
  readonly source: string;
}

const ALLOWED = "a model in MuJoCo's format (.xml), the meshes that it names, and its task (.yaml)";
/** More than this is refused before it is read; what a robot may have is checked when it is opened. */
const MOST_BYTES = 32_000_000;

const isModel = (name: string): boolean => /\.xml$/i.test(name);
const withoutEnding = (name: string): string => name.replace(/\.[^.]+$/, "");

/** A task to begin with: run along x, with the first named body of the model. */
function starterTask(model: string, xml: string): string {
  const body = /<body\b[^>]*?\bname\s*=\s*["']([^"']+)["']/.exec(xml)?.[1];
  const forward =
    body === undefined
      ? "{ term: value, part: qvel, to: 1, weight: 1 }"
      : `{ term: velocity, of: ${JSON.stringify(body)}, axis: x, weight: 1 }`;
  return `# The task of ${model}: what agents observe, what they are paid for, when episodes end, and how they start.
robot: ${JSON.stringify(model)}
frame_skip: 5
max_episode_steps: 1000
observe:
  - { part: qpos }
  - { part: qvel }
reward:
  - ${forward}
  - { term: alive, weight: 0.1 }
  - { term: control, weight: -0.05 }
healthy: [] # such as { part: xpos, of: ${JSON.stringify(body ?? "trunk")}, from: 2, range: [0.2, null] }
reset: { noise: uniform, qpos: 0.05, qvel: 0.05 }
`;
}

/**
 * Reads dropped files. Without a task, the robot gets one to begin with.
 * @throws Error with a full sentence for files that are no robot
 */
export async function droppedRobot(files: readonly PickedFile[]): Promise<DroppedRobot> {
  const size = files.reduce((sum, { content }) => sum + content.size, 0);
  if (size > MOST_BYTES)
    throw new Error(`The robot was not read: found ${size} bytes, allowed at most ${MOST_BYTES}.`);
  const read = await Promise.all(
    files.map(async ({ name, content }) => ({ name, bytes: new Uint8Array(await content.arrayBuffer()) })),
  );
  const texts = new Map(read.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]));
  const models = [...texts].filter(([name]) => isModel(name));
  const isNamed = (name: string): boolean => models.some(([, text]) => text.includes(name));
  // A folder may also have manifests.
  const task = [...texts].find(([name, text]) => isTaskFile(name) && /^\s*"?robot"?\s*:/m.test(text));
  const named = models.find(([name]) => task?.[1].includes(name));
  // A file that others include is not the model.
  const [model, xml] = named ?? models.find(([name]) => !isNamed(name)) ?? models[0] ?? [];
  if (model === undefined || xml === undefined)
    throw new Error(
      `The robot was not read: found ${files.map(({ name }) => name).join(", ")}; allowed: ${ALLOWED}.`,
    );
  const parts = read.filter(({ name }) => name === model || isNamed(name));
  const name = withoutEnding(model)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 64);
  return {
    name: name || "robot",
    source: robotSource({
      robot: task?.[0] ?? `${withoutEnding(model)}.yaml`,
      task: task?.[1] ?? starterTask(model, xml),
      files: Object.fromEntries(parts.map((part) => [part.name, robotFile(part.name, part.bytes)])),
    }),
  };
}

/** A text of a robot that can be edited. */
interface RobotPage {
  readonly name: string;
  readonly text: string;
  /** The robot's source with another text. */
  readonly withText: (text: string) => string;
}

/** The texts of a robot, its task first, and the names and sizes of its other files. */
export function robotPages(source: string) {
  const robot: RobotText = readRobotSource(source);
  const pages: RobotPage[] = [
    { name: robot.robot, text: robot.task, withText: (task) => robotSource({ ...robot, task }) },
  ];
  const others: { name: string; bytes: number }[] = [];
  for (const [name, file] of Object.entries(robot.files)) {
    if (typeof file !== "string" || !isModel(name)) {
      const bytes = typeof file === "string" ? file.length : Math.floor((file.base64.length * 3) / 4);
      others.push({ name, bytes });
      continue;
    }
    const withText = (text: string): string =>
      robotSource({ ...robot, files: { ...robot.files, [name]: text } });
    pages.push({ name, text: file, withText });
  }
  return { pages, others };
}
