/** What is wrong with what reset or step of an environment of several agents gave. */
import { describeValue, isArrayLike, isPromise, keysOf } from "../../spaces/describeValue.ts";
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

/** Who takes part. */
export interface Participants {
  /** What each agent sees, in the environment's order. */
  readonly expected: ReadonlyMap<string, Expected>;
  /** Ids of those who took part in the step; all at a reset. */
  readonly present: readonly string[];
}

/** Of a reset's result; null when there is nothing wrong. */
export function parallelResetFault(result: unknown, participants: Participants): string | null {
  const wrong = objectFault(result, "observations", RESET, "reset");
  if (wrong !== null) return wrong;
  const fields = result as Fields;
  return observationsFault(fields, participants) ?? infosFault(fields, participants);
}

/** Of a step's result; null when there is nothing wrong. */
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
    // Every agent who takes part has an entry.
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

/** Of a field that has something for each agent who took part, and for nobody else. */
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

/** Of agents cut off while others go on: what they see then stands in no later step. */
function cutFault(fields: Fields, { present }: Participants): string | null {
  const [terminations, truncations] = [fields.terminations as Fields, fields.truncations as Fields];
  const onward = present.filter((id) => terminations[id] === false);
  const cut = onward.find((id) => truncations[id] === true);
  const stays = onward.find((id) => truncations[id] === false);
  if (cut === undefined || stays === undefined) return null;
  return `truncations.${cut}: found true while ${stays} goes on, allowed true for all agents or for none; terminations say that an agent's own task ended`;
}

/** Of `agents` after a reset or a step inside an episode; null when it names those who take part. */
export function agentsFault(agents: unknown, present: readonly string[]): string | null {
  const who = `allowed those who take part now: ${present.join(", ")}`;
  if (!Array.isArray(agents)) return `agents: found ${describeValue(agents)}, ${who}`;
  const more = agents.find((id) => !present.includes(id as string));
  if (more !== undefined) return `agents: found ${describeValue(more)}, ${who}`;
  const less = present.find((id) => !agents.includes(id));
  return less === undefined ? null : `agents: found no ${less}, ${who}`;
}
