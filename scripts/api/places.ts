/** The pages of the API reference. The root's names fill several, one for each room that declares some of them. */
import { entryFiles } from "./publicApi.ts";

/** Rooms whose names the root exports, by page. */
export const ROOT_PAGES: Readonly<
  Record<string, { readonly title: string; readonly rooms: readonly string[] }>
> = {
  agents: { title: "Agents and replay buffers", rooms: ["agents"] },
  environments: { title: "Environments, spaces and networks", rooms: ["rl"] },
  evolution: { title: "Evolution", rooms: ["evolution"] },
  training: { title: "Training and reports", rooms: ["training", "tracking"] },
  llm: { title: "Language models", rooms: ["llm"] },
  datasets: { title: "Data sets", rooms: ["datasets"] },
  manifests: { title: "Manifests", rooms: ["specs", "manifests"] },
  remote: { title: "Remote runs", rooms: ["remote"] },
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
