import { Random } from "../../evolution/random.ts";
import { entropySeed } from "../../evolution/seed.ts";
import { layOut, partsContain, partsSize, type SpacePart, sampleParts } from "./parts.ts";
import type { SimpleSpace, SingleAgentSpace } from "./Space.ts";
import type { SpaceValue } from "./values.ts";

/** One agent's share of an element. */
export interface AgentPart {
  readonly id: string;
  readonly space: SingleAgentSpace;
  /** Where its numbers start in an element, and how many there are. */
  readonly start: number;
  readonly size: number;
}

/** What an agent's id may be: ids name tensors and files. */
export const AGENT_ID = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * What several agents see or do at once: a space for each, by id. An element is the numbers of all of them, in the order
 * of the ids. An environment is multi-agent where its spaces are of this kind.
 *
 * @example
 * ```ts
 * const space = new Agents({ speaker_0: new Discrete(3), listener_0: new Discrete(5) });
 * space.join({ speaker_0: 2, listener_0: 0 }); // Float32Array [2, 0]
 * ```
 */
export class Agents {
  readonly kind = "Agents";
  /** In order. */
  readonly ids: readonly string[];
  readonly spaces: Readonly<Record<string, SingleAgentSpace>>;
  readonly agents: readonly AgentPart[];
  /** Simple spaces one after another, `<agent>`, or `<agent>.<key>` where the agent's own space is a Dict or Tuple. */
  readonly parts: readonly SpacePart[];
  /** [numbers of an element]. */
  readonly shape: readonly number[];
  readonly dtype = "float32";

  /** @throws RangeError naming the agent whose id is no name or whose space is not one agent's; when there is none. */
  constructor(spaces: Readonly<Record<string, SingleAgentSpace>>) {
    this.spaces = { ...spaces };
    this.ids = Object.keys(spaces);
    const entries = Object.entries(spaces).flatMap(([id, space]): [string, SimpleSpace][] => {
      if (!AGENT_ID.test(id)) {
        throw new RangeError(
          `Agents: found the agent ${JSON.stringify(id)}, allowed letters, digits and _, a letter first`,
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

  /** An element from the values of its agents by id.
   * @throws RangeError naming the agent that is missing, is not one of them, or has another number of numbers. */
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

  /** The values of an element by agent: a number for a Discrete space, else a new array. */
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
