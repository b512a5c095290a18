import { Legend, LegendEntry } from "../components/marks.tsx";
import { Fitness } from "../games/fitnessWord.tsx";
import "./legend.css";

/** What frames and bars on a stage mean. */
export const TheatreLegend = () => (
  <Legend small>
    <LegendEntry of="champion">champion</LegendEntry>
    <LegendEntry of="ramp">
      <Fitness />, low to high
    </LegendEntry>
  </Legend>
);
