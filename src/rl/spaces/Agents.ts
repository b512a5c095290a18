import { entropySeed, Random } from "../../evolution/random.ts";
import { layOut, partsContain, partsSize, type SpacePart, sampleParts } from "./Dict.ts";
import type { SimpleSpace, SingleAgentSpace } from "./Space.ts";
import type { SpaceValue } from "./values.ts";

/** One agent's share of an element. */
export interface AgentPart {
  readonly id: string;
  readonly space: SingleAgentSpace;
  /** Index of this agent's first number in an element, and how many numbers it has. */
  readonly start: number;
  readonly size: number;
}

/** Pattern of a valid agent id. Ids become part of tensor names and file names. */
export const AGENT_ID = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * The observations or actions of several agents: one space per agent, by id. An element concatenates the
 * numbers of all agents, in the order of the ids. An environment is multi-agent if its spaces are of this
 * kind.
 *
 * @example
 * ```ts
 * const space = new Agents({ speaker_0: new Discrete(3), listener_0: new Discrete(5) });
 * space.join({ speaker_0: 2, listener_0: 0 }); // Float32Array [2, 0]
 * ```
 */
export class Agents {
  readonly kind = "Agents";
  /** Agent ids, in element order. */
  readonly ids: readonly string[];
  readonly spaces: Readonly<Record<string, SingleAgentSpace>>;
  readonly agents: readonly AgentPart[];
  /** Simple spaces in element order, with key `<agent>`, or `<agent>.<key>` for parts of a Dict or Tuple. */
  readonly parts: readonly SpacePart[];
  /** [length of an element]. */
  readonly shape: readonly number[];
  readonly dtype = "float32";

  /** @throws RangeError when there is no agent, or naming one with an invalid id or an `Agents` space. */
  constructor(spaces: Readonly<Record<string, SingleAgentSpace>>) {
    this.spaces = { ...spaces };
    this.ids = Object.keys(spaces);
    const entries = Object.entries(spaces).flatMap(([id, space]): [string, SimpleSpace][] => {
      if (!AGENT_ID.test(id)) {
        throw new RangeError(
          `Agents: found the agent id ${JSON.stringify(id)}, allowed letters, digits and _, starting with a letter`,
        );
      }
      const { kind } = space as { readonly kind: string };
      if (kind === "Agents")
        throw new RangeError(`Agents.${id}: found Agents, allowed the space of one agent`);
      if (space.kind !== "Dict" && space.kind !== "Tuple") return [[id, space]];
      return space.parts.map((part) => [`${id}.${part.key}`, part.space]);
    });
    this.parts = layOut("Agents", entries);
    this.shape = [partsSize(this.parts)];
    let start = 0;
    this.agents = Object.entries(spaces).map(([id, space]) => {
      const size = space.shape.reduce((product, dim) => product * dim, 1);
      const part = { id, space, start, size };
      start += size;
      return part;
    });
  }

  contains(value: SpaceValue): boolean {
    return partsContain(this.parts, value);
  }

  sample(random: Random = new Random({ seed: entropySeed() })): Float32Array {
    return sampleParts(this.parts, random);
  }

  /** Builds an element from each agent's value, by id.
   * @throws RangeError naming the agent that is missing, unknown, or has the wrong number of values. */
  join(values: Readonly<Record<string, SpaceValue>>): Float32Array {
    const known = this.ids.join(", ");
    for (const id of Object.keys(values))
      if (!Object.hasOwn(this.spaces, id))
        throw new RangeError(`element.${id}: found no such agent, allowed ${known}`);
    const out = new Float32Array(partsSize(this.parts));
    for (const { id, start, size } of this.agents) {
      const value = Object.hasOwn(values, id) ? values[id] : undefined;
      if (value === undefined)
        throw new RangeError(`element.${id}: found nothing, allowed a value for each of ${known}`);
      const numbers = typeof value === "number" ? [value] : value;
      if (numbers.length !== size)
        throw new RangeError(`element.${id}: found ${numbers.length} numbers, allowed ${size}`);
      out.set(numbers, start);
    }
    return out;
  }

  /** Splits an element into values by agent id: a number for a Discrete space, otherwise a new array. */
  split(element: ArrayLike<number>): Record<string, number | Float32Array> {
    return Object.fromEntries(
      this.agents.map(({ id, space, start, size }) => [
        id,
        space.kind === "Discrete"
          ? (element[start] as number)
          : Float32Array.from({ length: size }, (_, i) => element[start + i] as number),
      ]),
    );
  }
}
