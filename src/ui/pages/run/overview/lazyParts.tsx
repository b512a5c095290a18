import { loadable } from "../../../lib/loadable.tsx";
import { FitnessChart } from "../fitness/lazyChart.tsx";

const loadWall = () => import("../wall/WallPanel.tsx");

/** The population at play. */
export const WallPanel = loadable(
  async () => (await loadWall()).WallPanel,
  <section className="panel" aria-label="Population at play" />,
);

/** Loads the page's large parts ahead of their use. */
export function preloadParts(): void {
  FitnessChart.preload();
  WallPanel.preload();
  // A part that cannot be loaded is asked for again, and then complains, when it is shown.
  loadWall()
    .then(({ preloadStage }) => preloadStage())
    .catch(() => undefined);
}
