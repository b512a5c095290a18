import { lazy } from "react";

const loadChart = () => import("./FitnessChart.tsx");
const loadPlayer = () => import("./ElitePlayer.tsx");

/** The chart, whose library is larger than the rest of the page. */
export const FitnessChart = lazy(async () => ({ default: (await loadChart()).FitnessChart }));

/** The player, with the drawings of the environments. */
export const ElitePlayer = lazy(async () => ({ default: (await loadPlayer()).ElitePlayer }));

/** Loads the page's large parts ahead of their use. */
export function preloadParts(): void {
  // A part that cannot be loaded is asked for again, and then complains, when it is shown.
  loadChart().catch(() => undefined);
  loadPlayer().catch(() => undefined);
}
