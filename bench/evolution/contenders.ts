/** Contenders that are not measured yet: `npm run bench:evolution -- --recipes search,bench/evolution/contenders.ts`. */
import { type Recipe, SEARCHED } from "./recipes.ts";

const guarded = {
  ...SEARCHED.manifest,
  selection_strategy: { strategy: "halving", smallest: 4, followed_by: "truncation", guard: true },
};

export const recipes: readonly Recipe[] = [
  {
    ...SEARCHED,
    name: "search_guarded",
    title: "`hpo: search`, the given values guarded",
    start: "middle",
    manifest: guarded,
  },
  {
    ...SEARCHED,
    name: "search_around",
    title: "`hpo: search`, initial values around the given ones",
    start: "middle",
    ranges: "around",
  },
  {
    ...SEARCHED,
    name: "search_guarded_around",
    title: "both",
    start: "middle",
    ranges: "around",
    manifest: guarded,
  },
];
