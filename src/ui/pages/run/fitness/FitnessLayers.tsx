import { Area, Line, usePlotArea, ZIndexLayer } from "recharts";
import { formatThings } from "../../../lib/format.ts";
import { agentDash } from "./FitnessLegend.tsx";
import type { FitnessDomain, FitnessRow } from "./fitnessModel.ts";

interface Props {
  readonly agents: number;
  readonly dot: { readonly r: number } | false;
}

// Recharts redraws a line whose function changes, so each agent keeps the same function.
const agentKeys: ((row: FitnessRow) => number | null)[] = [];
const agentKey = (agent: number): ((row: FitnessRow) => number | null) => {
  agentKeys[agent] ??= (row) => row.agents[agent] ?? null;
  return agentKeys[agent];
};

/** The fitness of each agent of one member, distinguished by dash patterns. */
export function AgentLines({ agents, dot }: Props) {
  return Array.from({ length: agents }, (_, agent) => (
    <Line
      key={`agent ${agent}`}
      className={`fitness-agent fitness-agent--${agent}`}
      dataKey={agentKey(agent)}
      stroke="var(--ink-2)"
      strokeDasharray={agentDash(agent)}
      strokeWidth={1.25}
      isAnimationActive={false}
      activeDot={false}
      dot={dot}
    />
  ));
}

const QUIET = { isAnimationActive: false, activeDot: false } as const;

/** For a large population or a long run: bands of the full range and of the middle half, and the median. */
export function SpreadBands({
  dot,
  faint,
}: {
  readonly dot: { readonly r: number } | false;
  readonly faint: boolean;
}) {
  return (
    <>
      <Area
        {...QUIET}
        className="fitness-spread"
        dataKey="range"
        stroke="none"
        fill="var(--accent)"
        fillOpacity={0.14}
        dot={false}
      />
      <Area
        {...QUIET}
        className="fitness-spread"
        dataKey="middle"
        stroke="none"
        fill="var(--accent)"
        fillOpacity={0.22}
        dot={false}
      />
      <Line
        {...QUIET}
        className="fitness-median"
        dataKey="median"
        stroke="var(--accent)"
        strokeWidth={1.5}
        strokeOpacity={faint ? 0.3 : 1}
        dot={dot}
      />
    </>
  );
}

/** Shows how many values lie beyond the ends of the vertical axis. */
export function ClipMark({ domain: { above, below } }: { readonly domain: FitnessDomain }) {
  const area = usePlotArea();
  if (area === undefined) return null;
  const x = area.x + area.width - 4;
  return (
    <ZIndexLayer zIndex={1050}>
      {above > 0 && (
        <text className="fitness-clip" x={x} y={area.y + 12} textAnchor="end">
          ▲ {formatThings(above, "value")} above
        </text>
      )}
      {below > 0 && (
        <text className="fitness-clip" x={x} y={area.y + area.height - 6} textAnchor="end">
          ▼ {formatThings(below, "value")} below
        </text>
      )}
    </ZIndexLayer>
  );
}
