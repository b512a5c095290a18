import { Line } from "recharts";
import { agentDash } from "./agentDash.ts";
import type { FitnessRow } from "./fitnessModel.ts";

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
