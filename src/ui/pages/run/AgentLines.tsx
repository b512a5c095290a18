import { Line } from "recharts";
import { slotColour } from "../../components/slotStyle.ts";
import type { ChartRow } from "../../series/chartRows.ts";
import { agentDash } from "./agentDash.ts";

interface Props {
  /** Slot of the member that they live in. */
  readonly slot: number;
  readonly agents: number;
  readonly dot: { readonly r: number } | false;
}

// Recharts draws again what gets a new function, so that each agent has one for good.
const agentKeys: ((row: ChartRow) => number | null)[] = [];
const agentKey = (agent: number): ((row: ChartRow) => number | null) => {
  agentKeys[agent] ??= (row) => row.agents?.[agent] ?? null;
  return agentKeys[agent];
};

/** The fitness of each agent of one member, in the member's colour. */
export function AgentLines({ slot, agents, dot }: Props) {
  return Array.from({ length: agents }, (_, agent) => (
    <Line
      key={`agent ${agent}`}
      className={`fitness-agent fitness-agent--${agent}`}
      dataKey={agentKey(agent)}
      stroke={slotColour(slot)}
      strokeDasharray={agentDash(agent)}
      strokeWidth={1.25}
      isAnimationActive={false}
      activeDot={false}
      dot={dot}
    />
  ));
}
