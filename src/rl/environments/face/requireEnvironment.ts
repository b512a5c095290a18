/** What callers give as environments, checked before anything is asked of them. */
import { describeValue, isClass, isPromise } from "../../spaces/describeValue.ts";
import type { Space } from "../../spaces/index.ts";
import type { HostEnvironment } from "./HostEnvironment.ts";
import type { VectorEnvironment } from "./VectorEnvironment.ts";

/** Longer episodes than anybody waits for. */
const MOST_STEPS = 1_000_000_000;

type Fields = Readonly<Record<string, unknown>>;

/** @throws TypeError or RangeError naming what of the face of environments is missing or of another kind. */
export function requireEnvironment(value: unknown, place: string): asserts value is HostEnvironment {
  const fields = requireObject(value, place);
  for (const space of ["observation_space", "action_space"]) requireSpace(fields[space], `${place}.${space}`);
  requireMethods(fields, place);
}

/** @throws As `requireEnvironment`, of environments with several lanes. */
export function requireVectorEnvironment(value: unknown, place: string): asserts value is VectorEnvironment {
  const fields = requireObject(value, place);
  for (const space of ["single_observation_space", "single_action_space"])
    requireSpace(fields[space], `${place}.${space}`);
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
  if (isClass(value)) refuse(`: an instance, as new ${value.name}() makes`);
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

const KINDS: readonly Space["kind"][] = ["Box", "Discrete", "MultiDiscrete", "MultiBinary", "Tuple", "Dict"];

/** Told by what it has, not by its class: a page may hold the library twice. */
function isSpace(value: unknown): value is Space {
  if (typeof value !== "object" || value === null) return false;
  const { kind, shape, contains } = value as Fields;
  return KINDS.some((known) => known === kind) && Array.isArray(shape) && typeof contains === "function";
}

/** @throws TypeError for anything but a space, saying how to make the one that was probably meant. */
function requireSpace(value: unknown, place: string): void {
  if (isSpace(value)) return;
  throw new TypeError(
    `${place}: found ${describeValue(value)}, allowed a space of rlkit (${KINDS.join(", ")})${makingOf(value)}`,
  );
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
