import { usePlotArea, ZIndexLayer } from "recharts";
import { formatCount } from "../../../lib/format.ts";
import type { FitnessDomain } from "./fitnessDomain.ts";

const values = (count: number): string => `${formatCount(count)} ${count === 1 ? "value" : "values"}`;

/** Shows how many values lie beyond the ends of the vertical axis. */
export function ClipMark({ domain: { above, below } }: { readonly domain: FitnessDomain }) {
  const area = usePlotArea();
  if (area === undefined) return null;
  const x = area.x + area.width - 4;
  return (
    <ZIndexLayer zIndex={1050}>
      {above > 0 && (
        <text className="fitness-clip" x={x} y={area.y + 12} textAnchor="end">
          ▲ {values(above)} above
        </text>
      )}
      {below > 0 && (
        <text className="fitness-clip" x={x} y={area.y + area.height - 6} textAnchor="end">
          ▼ {values(below)} below
        </text>
      )}
    </ZIndexLayer>
  );
}
