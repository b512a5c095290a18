import { loadable } from "../../../lib/loadable.tsx";

/** The chart, loaded lazily: its library is larger than the rest of the page. */
export const FitnessChart = loadable(
  async () => (await import("./FitnessChart.tsx")).FitnessChart,
  <div className="fitness__plot" />,
);
