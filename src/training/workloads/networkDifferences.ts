/** Finds differences between a network section and the networks in a file. */

import { type AgentState, algorithmOf } from "../../agents/members.ts";
import { isNetworkMap } from "../../manifests/index.ts";
import { groupOf } from "../../rl/contract.ts";
import { mutatedSettings, type NetworkData, switchedOn } from "../../rl/networks.ts";
import { isMapping, show } from "../../specs/messages.ts";

/** A setting of the section, with its two values. */
export interface NetworkDifference {
  readonly path: string;
  /** Value in the network that the section describes. */
  readonly asked: unknown;
  /** Value in the file's network; undefined if that network is a caller's module. */
  readonly held: unknown;
}

/**
 * Whether evolution may have caused the difference, so that the run of the file may have started with the
 * same section.
 */
export const mayHaveEvolved = ({ path }: NetworkDifference): boolean =>
  mutatedSettings().has(path.slice(path.lastIndexOf(".") + 1));

type Values = Readonly<Record<string, unknown>>;

/** Keys of a module's data that have another name in a section. */
const KEYS: Readonly<Record<string, string>> = { kind: "arch" };

/** A network's data under a section's keys. */
function sectionOf({ encoder, latent_dim, min_latent_dim, max_latent_dim, head, distribution }: NetworkData) {
  const named = (module: object): Values =>
    Object.fromEntries(Object.entries(module).map(([key, value]) => [KEYS[key] ?? key, value]));
  return {
    latent_dim,
    min_latent_dim,
    max_latent_dim,
    // Null means a caller's module, which is stored as the head.
    ...(encoder === "shared" ? {} : { encoder_config: encoder === null ? null : named(encoder) }),
    head_config: named(head),
    ...(distribution?.kind === "normal" ? { squash_output: distribution.squash_output } : {}),
  };
}

/** The settings of a section, with its switch and `arch` moved to the encoder. */
function givenKeys(section: Values): Values {
  const { arch, ...rest } = section;
  const encoder = isMapping(rest.encoder_config) ? rest.encoder_config : {};
  const named = arch ?? switchedOn(section) ?? undefined;
  return { ...rest, encoder_config: named === undefined ? encoder : { arch: named, ...encoder } };
}

/** Those of the given settings that differ. */
function differing(given: Values, asked: Values, held: Values, place: string): NetworkDifference[] {
  return Object.entries(given).flatMap(([key, value]): NetworkDifference[] => {
    if (value === null || value === undefined) return [];
    const path = `${place}.${key}`;
    const [own, other] = [asked[key], held[key]];
    if (isMapping(value)) {
      if (isMapping(own) && isMapping(other)) {
        // Settings of another architecture are not comparable.
        if (own.arch !== other.arch)
          return [{ path: `${path}.arch`, asked: own.arch, held: other.arch ?? null }];
        return differing(value, own, other, path);
      }
      const isOwn = isMapping(own) && other === null && Object.keys(value).length > 0;
      return isOwn ? [{ path, asked: value, held: undefined }] : [];
    }
    // Networks do not store this setting.
    if (own === undefined) return [];
    return JSON.stringify(own) === JSON.stringify(other) ? [] : [{ path, asked: own, held: other }];
  });
}

/** The section of a network and its path; for several agents, that of the network's key. */
function sectionFor(section: Values, name: string): readonly [place: string, section: unknown] {
  if (!isNetworkMap(section)) return ["network", section];
  const own = name.slice(name.indexOf(".") + 1);
  // An agent that is alone in its group may be given by the group's name.
  const key = Object.hasOwn(section, own) ? own : groupOf(own);
  return [`network.${key}`, section[key]];
}

/**
 * @param section The network section as given; settings that it leaves out are not compared.
 * @param asked An agent with the networks that the section describes.
 * @param held The agent of the file, of the same algorithm and spaces.
 */
export function networkDifferences(
  section: unknown,
  asked: AgentState,
  held: AgentState,
): readonly NetworkDifference[] {
  if (!isMapping(section)) return [];
  const { targets } = algorithmOf(asked);
  const found = Object.entries(asked.networks).flatMap(([name, { data }]) => {
    const other = held.networks[name]?.data;
    if (!other || name in targets) return [];
    const [place, own] = sectionFor(section, name);
    return isMapping(own) ? differing(givenKeys(own), sectionOf(data), sectionOf(other), place) : [];
  });
  // Networks of one section differ in the same settings, so only the first network's differences are
  // reported.
  return [...new Map(found.toReversed().map((one) => [one.path, one])).values()].toReversed();
}

export const describeDifference = ({ asked, held }: NetworkDifference, of: string): string =>
  `found ${show(asked)}, but the networks of ${of} have ${held === undefined ? "a custom module" : show(held)}`;
