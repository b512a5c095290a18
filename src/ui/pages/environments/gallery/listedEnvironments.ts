import {
  type EnvironmentFacts,
  type EnvironmentKind,
  environmentFacts,
} from "../../../../manifests/environmentFacts.ts";
import { taskTextOf } from "../../editor/gallery/tasks.ts";

/** The kinds of environments in display order, with their headings. */
export const KINDS: Readonly<Record<EnvironmentKind, string>> = {
  control: "Control",
  bodies: "Bodies",
  games: "Games",
  matches: "Games of two",
  grids: "Grids and cards",
  teams: "Teams",
  probes: "Probes",
};

/** A built-in environment of the gallery. */
export interface ListedEnvironment {
  readonly id: string;
  readonly title: string;
  /** One sentence; "" for environments without one. */
  readonly words: string;
  readonly facts: EnvironmentFacts;
}

/** What probes are for; their ids say which fault each finds. */
const PROBE = "A task with a known value, which tells whether an algorithm learns at all.";

function listed(id: string, facts: EnvironmentFacts): ListedEnvironment {
  const { title, words } = taskTextOf(id);
  return { id, title, words: facts.kind === "probes" ? PROBE : words, facts };
}

/** What the gallery shows of each kind: environments that have all words of the search, in any order. */
export function environmentGroups(
  search: string,
  kind: string,
): readonly { readonly kind: EnvironmentKind; readonly environments: readonly ListedEnvironment[] }[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = Object.entries(environmentFacts)
    .map(([id, facts]) => listed(id, facts))
    .filter(({ id, title, words, facts }) => {
      const text = [
        id,
        title,
        words,
        KINDS[facts.kind],
        facts.observes,
        facts.acts,
        facts.mujoco ? "MuJoCo" : "",
      ];
      const all = text.join(" ").toLowerCase();
      return wanted.every((word) => all.includes(word));
    });
  return (Object.keys(KINDS) as EnvironmentKind[])
    .filter((own) => kind === "" || kind === own)
    .map((own) => ({ kind: own, environments: found.filter(({ facts }) => facts.kind === own) }))
    .filter(({ environments }) => environments.length > 0);
}
