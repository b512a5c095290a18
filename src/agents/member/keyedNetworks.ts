/** Network sections of several agents, by the keys of their networks. */

import { groupOf, keysOf } from "../../rl/contract.ts";
import type { NetworkMap, NetworkSection } from "../../rl/networks.ts";
import { describeSpace, type Space } from "../../rl/spaces.ts";
import { dottedPath, SpecError } from "../../specs/checks.ts";

const refuse = (key: string, message: string): SpecError => {
  const segments = ["network", key];
  return new SpecError([{ code: "unknown_key", path: dottedPath(segments), segments, message }], "manifest");
};

interface Keyed {
  /** The key as written in the map. */
  readonly key: string;
  readonly section: NetworkSection;
}

/**
 * The sections of a map by the keys of networks; keys that the map leaves out have none. Where each agent has
 * its own networks, an agent that is alone in its group may also be given by the group's name.
 * @throws SpecError for an agent inside a group, an unknown key, and an agent that is given twice.
 */
export function keyedSections(map: NetworkMap, observed: Space): ReadonlyMap<string, Keyed> {
  if (observed.kind !== "Agents") {
    const [key = ""] = Object.keys(map);
    throw refuse(
      key,
      `found an agent's network, and one agent observes ${describeSpace(observed)}; give one network`,
    );
  }
  const keys = keysOf(observed.ids);
  const found = new Map<string, Keyed>();
  for (const [given, section] of Object.entries(map)) {
    const key = keyNamed(given, keys);
    const other = found.get(key);
    if (other)
      throw refuse(
        given,
        `found together with network.${other.key}, which is the same agent; leave one of them out`,
      );
    found.set(key, { key: given, section });
  }
  return found;
}

function keyNamed(given: string, keys: ReadonlyMap<string, readonly string[]>): string {
  if (keys.has(given)) return given;
  for (const [key, ids] of keys) {
    if (key !== groupOf(key) && groupOf(key) === given) return key;
    if (ids.includes(given))
      throw refuse(
        given,
        `found an agent of the group "${key}" (${ids.join(", ")}), whose agents share networks; give network.${key}`,
      );
  }
  throw refuse(given, `found no such agent or group, allowed ${[...keys.keys()].join(", ")}`);
}

/** Returns the result of `make`. Issues that it throws get paths below the section's key. */
export function atKey<T>(key: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const issues = error.issues.map((issue) => {
      const [section, ...rest] = issue.segments;
      if (section !== "network") return issue;
      const segments = [section, key, ...rest];
      return { ...issue, segments, path: dottedPath(segments) };
    });
    throw new SpecError(issues, "manifest");
  }
}
