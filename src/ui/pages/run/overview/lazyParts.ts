import { lazy } from "react";
import { loadChart } from "../fitness/lazyChart.ts";

const loadWall = () => import("../wall/WallPanel.tsx");

/** The population at play. */
export const WallPanel = lazy(async () => ({ default: (await loadWall()).WallPanel }));

/** Loads the page's large parts ahead of their use. */
export function preloadParts(): void {
  // A part that cannot be loaded is asked for again, and then complains, when it is shown.
  loadChart().catch(() => undefined);
  loadWall()
    .then(({ preloadStage }) => preloadStage())
    .catch(() => undefined);
}
