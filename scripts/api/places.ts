/** The pages of the API reference. The root's names fill several, one for each room that declares some of them. */
import { entryFiles } from "./publicApi.ts";

/** Rooms whose names the root exports, by page. */
export const ROOT_PAGES: Readonly<
  Record<string, { readonly title: string; readonly rooms: readonly string[]; readonly purpose: string }>
> = {
  agents: {
    title: "Agents and replay buffers",
    rooms: ["agents"],
    purpose:
      "Make agents and let them act, learn and be tested in a loop of your own; store what they learn from.",
  },
  environments: {
    title: "Environments, spaces and networks",
    rooms: ["rl"],
    purpose: "Make environments by id or from objects, describe their spaces, and build networks for agents.",
  },
  evolution: {
    title: "Evolution",
    rooms: ["evolution"],
    purpose: "Choose how a population is selected and mutated, and which hyperparameters are searched.",
  },
  training: {
    title: "Training and reports",
    rooms: ["training", "tracking"],
    purpose: "Train a population in one call, follow its events, save agents, and resume runs.",
  },
  llm: {
    title: "Language models",
    rooms: ["llm"],
    purpose:
      "Load a language model, generate with it, and train its adapters on rewards, pairs or responses.",
  },
  datasets: {
    title: "Data sets",
    rooms: ["datasets"],
    purpose:
      "Open recorded transitions for offline learning, from files, bytes or arrays, and read their episodes.",
  },
  manifests: {
    title: "Manifests",
    rooms: ["specs", "manifests"],
    purpose: "Describe a run's sections in code, with the same fields, defaults and checks as in a file.",
  },
  remote: {
    title: "Remote runs",
    rooms: ["remote"],
    purpose: "Submit a run to a platform, watch it from anywhere, and download its checkpoints.",
  },
};

/** The page of a name, below the site's root. @throws Error for a room of the root that no page has */
export function apiPage(entry: string, room: string): string {
  if (entry !== "rlkit") return `api/${entry.replace("rlkit/", "")}`;
  const found = Object.entries(ROOT_PAGES).find(([, { rooms }]) => rooms.includes(room));
  if (!found)
    throw new Error(
      `The root exports names of src/${room}, which has no page; add it to ROOT_PAGES (scripts/api/places.ts).`,
    );
  return `api/rlkit/${found[0]}`;
}

/** Each page with its title, in the order of the site's side bar. */
export const apiPageTitles: readonly (readonly [page: string, title: string])[] = [
  ["api/", "All entries"],
  ...Object.entries(ROOT_PAGES).map(([page, { title }]) => [`api/rlkit/${page}`, title] as const),
  ...entryFiles.flatMap(([entry]) => (entry === "rlkit" ? [] : [[apiPage(entry, ""), entry] as const])),
];
