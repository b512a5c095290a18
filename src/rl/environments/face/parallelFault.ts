/** Descriptions of faults in the results of a multi-agent environment's reset and step. */
import { describeValue, isArrayLike, isPromise, keysOf } from "../../spaces.ts";
import {
  type Expected,
  elementFault,
  type Fields,
  flagFault,
  objectFault,
  rewardFault,
} from "./resultFault.ts";

const RESET = "{ observations, infos }";
const STEP = "{ observations, rewards, terminations, truncations, infos }";

/** The agents of an environment, and those that take part in the current step. */
export interface Participants {
  /** Each agent's expected observation, in the environment's order. */
  readonly expected: ReadonlyMap<string, Expected>;
  /** Ids of the agents that took part in the step; all agents at a reset. */
  readonly present: readonly string[];
}

/** Describes the fault in a reset's result; null if there is none. */
export function parallelResetFault(result: unknown, participants: Participants): string | null {
  const wrong = objectFault(result, "observations", RESET, "reset");
  if (wrong !== null) return wrong;
  const fields = result as Fields;
  return observationsFault(fields, participants) ?? infosFault(fields, participants);
}

/** Describes the fault in a step's result; null if there is none. */
export function parallelStepFault(result: unknown, participants: Participants): string | null {
  const wrong = objectFault(result, "observations", STEP, "step");
  if (wrong !== null) return wrong;
  const fields = result as Fields;
  return (
    observationsFault(fields, participants) ??
    recordFault(fields, "rewards", "a finite number", participants, (place, id) =>
      rewardFault(place, (fields.rewards as Fields)[id]),
    ) ??
    flagsFault(fields, "terminations", participants) ??
    flagsFault(fields, "truncations", participants) ??
    infosFault(fields, participants) ??
    cutFault(fields, participants)
  );
}

const observationsFault = (fields: Fields, participants: Participants): string | null =>
  recordFault(fields, "observations", "an observation", participants, (place, id) => {
    // `expected` has an entry for every agent that takes part.
    const expected = participants.expected.get(id) as Expected;
    return elementFault(place, (fields.observations as Fields)[id], expected);
  });

const flagsFault = (
  fields: Fields,
  field: "terminations" | "truncations",
  participants: Participants,
): string | null =>
  recordFault(fields, field, "true or false", participants, (place, id) =>
    flagFault(place, (fields[field] as Fields)[id]),
  );

const infosFault = (fields: Fields, participants: Participants): string | null =>
  recordFault(fields, "infos", "an object", participants, (place, id) => {
    const info = (fields.infos as Fields)[id];
    if (typeof info === "object" && info !== null && !Array.isArray(info)) return null;
    return `${place}: found ${describeValue(info)}, allowed an object, {} for none`;
  });

/** Fault in a field that must have one value for each agent that took part, and for no other agent. */
function recordFault(
  fields: Fields,
  field: string,
  what: string,
  { expected, present }: Participants,
  fault: (place: string, id: string) => string | null,
): string | null {
  const record = fields[field];
  const isRecord = typeof record === "object" && record !== null && !(record instanceof Map);
  const who = present.join(", ");
  if (!isRecord || isArrayLike(record) || isPromise(record)) {
    const gave = record === undefined ? ` (it gave ${keysOf(fields)})` : "";
    return `${field}: found ${describeValue(record)}${gave}, allowed an object with ${what} for each of ${who}`;
  }
  for (const id of Object.keys(record)) {
    if (present.includes(id)) continue;
    return expected.has(id)
      ? `${field}.${id}: found an agent whose task has ended, allowed until the next reset: ${who}; an agent does not come back inside an episode`
      : `${field}.${id}: found an agent that possible_agents does not name, allowed ${who}`;
  }
  for (const id of present) {
    const wrong = Object.hasOwn(record, id)
      ? fault(`${field}.${id}`, id)
      : `${field}.${id}: found nothing, allowed ${what} for each of ${who}`;
    if (wrong !== null) return wrong;
  }
  return null;
}

/**
 * Fault when an agent is truncated while others continue: no later step would contain its last observation.
 */
function cutFault(fields: Fields, { present }: Participants): string | null {
  const [terminations, truncations] = [fields.terminations as Fields, fields.truncations as Fields];
  const onward = present.filter((id) => terminations[id] === false);
  const cut = onward.find((id) => truncations[id] === true);
  const stays = onward.find((id) => truncations[id] === false);
  if (cut === undefined || stays === undefined) return null;
  return `truncations.${cut}: found true while ${stays} continues, allowed true for all remaining agents or for none; use terminations when an agent's own task ended`;
}

/** Fault in `agents` during an episode; null if it lists exactly the agents that take part. */
export function agentsFault(agents: unknown, present: readonly string[]): string | null {
  const who = `allowed the agents that take part now: ${present.join(", ")}`;
  if (!Array.isArray(agents)) return `agents: found ${describeValue(agents)}, ${who}`;
  const more = agents.find((id) => !present.includes(id as string));
  if (more !== undefined) return `agents: found ${describeValue(more)}, ${who}`;
  const less = present.find((id) => !agents.includes(id));
  return less === undefined ? null : `agents: found no ${less}, ${who}`;
}
