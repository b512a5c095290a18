import { loadable } from "../../../lib/loadable.tsx";
import { FitnessChart } from "../fitness/lazyChart.tsx";

const loadWall = () => import("../wall/WallPanel.tsx");

/** The population at play. */
export const WallPanel = loadable(
  async () => (await loadWall()).WallPanel,
  <section className="panel" aria-label="Population playing" />,
);

/** Preloads the page's large parts. */
export function preloadParts(): void {
  FitnessChart.preload();
  WallPanel.preload();
  // A failure is ignored; showing the part loads it again and reports a failure.
  loadWall()
    .then(({ preloadStage }) => preloadStage())
    .catch(() => undefined);
}
