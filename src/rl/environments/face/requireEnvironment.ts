/** Checks of users' environments, before any of their methods is called. */
import { AGENT_ID } from "../../spaces/Agents.ts";
import { describeValue, isClass, isPromise, requireGoals, type Space } from "../../spaces.ts";
import { requireSameAgents } from "./EnvironmentError.ts";
import type { HostEnvironment } from "./HostEnvironment.ts";
import { isParallelEnvironment, type ParallelEnvironment } from "./ParallelEnvironment.ts";
import type { VectorEnvironment } from "./VectorEnvironment.ts";

/** Upper bound of max_episode_steps. */
const MOST_STEPS = 1_000_000_000;

type Fields = Readonly<Record<string, unknown>>;

/** @throws TypeError or RangeError naming the field of the environment that is missing or invalid. */
export function requireEnvironment(
  value: unknown,
  place: string,
): asserts value is HostEnvironment | ParallelEnvironment {
  const fields = requireObject(value, place);
  if (isParallelEnvironment(fields)) requireParallel(fields, place);
  else
    for (const space of ["observation_space", "action_space"])
      requireSpace(fields[space], `${place}.${space}`, ONE_AGENT);
  requireMethods(fields, place);
  if (fields.compute_reward !== undefined) {
    if (typeof fields.compute_reward !== "function")
      throw new TypeError(
        `${place}.compute_reward: found ${describeValue(fields.compute_reward)}, allowed a function, or none`,
      );
    // `requireSpace` was called.
    requireGoals(fields.observation_space as Space, place);
  }
  const [save, load] = [typeof fields.save, typeof fields.load];
  if (save === load && ["function", "undefined"].includes(save)) return;
  throw new TypeError(`${place}: found ${save} save and ${load} load, allowed functions, or neither of both`);
}

function requireParallel(fields: Fields, place: string): void {
  const ids = requireIds(fields.possible_agents, `${place}.possible_agents`);
  for (const field of ["observation_spaces", "action_spaces"])
    requireSpaces(fields[field], ids, `${place}.${field}`);
}

/** Checks the list of agent ids. */
function requireIds(ids: unknown, place: string): readonly string[] {
  if (!Array.isArray(ids) || ids.length === 0)
    throw new TypeError(
      `${place}: found ${describeValue(ids)}, allowed a list of the agents' ids, one or more`,
    );
  for (const [i, id] of ids.entries()) {
    if (typeof id !== "string" || !AGENT_ID.test(id))
      throw new RangeError(
        `${place}[${i}]: found ${describeValue(id)}, allowed letters, digits and _, starting with a letter`,
      );
    if (ids.indexOf(id) < i)
      throw new RangeError(`${place}[${i}]: found ${describeValue(id)} again, allowed each agent once`);
  }
  return ids as readonly string[];
}

/** Checks that there is a valid space for each agent, and for no other agent. */
function requireSpaces(spaces: unknown, ids: readonly string[], place: string): void {
  const who = ids.join(", ");
  if (typeof spaces !== "object" || spaces === null || Array.isArray(spaces) || spaces instanceof Map)
    throw new TypeError(
      `${place}: found ${describeValue(spaces)}, allowed an object with a space for each of ${who}`,
    );
  for (const id of Object.keys(spaces))
    if (!ids.includes(id))
      throw new RangeError(
        `${place}.${id}: found an agent that possible_agents does not name, allowed ${who}`,
      );
  for (const id of ids)
    requireSpace(Object.hasOwn(spaces, id) ? (spaces as Fields)[id] : undefined, `${place}.${id}`, ONE_AGENT);
}

/** @throws The same errors as `requireEnvironment`, for the vector interface. */
export function requireVectorEnvironment(value: unknown, place: string): asserts value is VectorEnvironment {
  const fields = requireObject(value, place);
  for (const space of ["single_observation_space", "single_action_space"])
    requireSpace(fields[space], `${place}.${space}`, KINDS);
  const { single_observation_space, single_action_space } = value as VectorEnvironment;
  requireSameAgents(
    { observation_space: single_observation_space, action_space: single_action_space },
    place,
  );
  requireMethods(fields, place);
  if (!Number.isSafeInteger(fields.num_envs) || (fields.num_envs as number) < 1)
    throw new RangeError(
      `${place}.num_envs: found ${describeValue(fields.num_envs)}, allowed positive integers`,
    );
}

function requireObject(value: unknown, place: string): Fields {
  const refuse = (hint: string): never => {
    throw new TypeError(`${place}: found ${describeValue(value)}, allowed an environment${hint}`);
  };
  if (isClass(value)) refuse(`: an instance, for example new ${value.name}()`);
  if (isPromise(value)) refuse("; await it first");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse(" with observation_space, action_space, reset and step");
  return value as Fields;
}

function requireMethods(fields: Fields, place: string): void {
  for (const method of ["reset", "step", "close"]) {
    const found = fields[method];
    const isOptional = method === "close";
    if (typeof found === "function" || (isOptional && (found === undefined || found === null))) continue;
    throw new TypeError(`${place}.${method}: found ${describeValue(found)}, allowed a function`);
  }
  requireSpec(fields.spec, `${place}.spec`);
}

function requireSpec(spec: unknown, place: string): void {
  if (spec === undefined || spec === null) return;
  if (typeof spec !== "object")
    throw new TypeError(
      `${place}: found ${describeValue(spec)}, allowed an object { id, max_episode_steps }, or none`,
    );
  const { id, max_episode_steps: steps = null } = spec as Fields;
  if (typeof id !== "string" || id === "")
    throw new TypeError(`${place}.id: found ${describeValue(id)}, allowed text that is not empty`);
  if (steps === null) return;
  if (Number.isInteger(steps) && (steps as number) >= 1 && (steps as number) <= MOST_STEPS) return;
  throw new RangeError(
    `${place}.max_episode_steps: found ${describeValue(steps)}, allowed integers from 1 to ${MOST_STEPS}, or null for no limit`,
  );
}

/** Kinds of single-agent spaces. */
const ONE_AGENT: readonly Space["kind"][] = [
  "Box",
  "Discrete",
  "MultiDiscrete",
  "MultiBinary",
  "Tuple",
  "Dict",
];
const KINDS: readonly Space["kind"][] = [...ONE_AGENT, "Agents"];

/** Checks the fields, not the class, because a page may load the library twice. */
function isSpace(value: unknown): value is Space {
  if (typeof value !== "object" || value === null) return false;
  const { kind, shape, contains } = value as Fields;
  return KINDS.some((known) => known === kind) && Array.isArray(shape) && typeof contains === "function";
}

/** @throws TypeError unless the value is a space of one of the kinds; suggests the space that was meant. */
function requireSpace(value: unknown, place: string, kinds: readonly Space["kind"][]): void {
  if (isSpace(value) && kinds.includes(value.kind)) return;
  const [found, hint] = isSpace(value)
    ? [
        value.kind,
        "; an environment of several agents has possible_agents, observation_spaces and action_spaces",
      ]
    : [describeValue(value), makingOf(value)];
  throw new TypeError(`${place}: found ${found}, allowed a space of rlkit (${kinds.join(", ")})${hint}`);
}

function makingOf(value: unknown): string {
  if (isClass(value) && KINDS.some((kind) => kind === value.name)) return `: new ${value.name}(...)`;
  if (typeof value === "number") return `; for that many choices: new Discrete(${value})`;
  if (typeof value !== "object" || value === null) return "";
  const { n, nvec, low, shape } = value as Fields;
  if (typeof n === "number") return `; make one: new Discrete(${n})`;
  if (nvec !== undefined) return "; make one: new MultiDiscrete(nvec)";
  return low !== undefined || shape !== undefined ? "; make one: new Box({ low, high, shape })" : "";
}
