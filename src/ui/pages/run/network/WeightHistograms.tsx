import { useCallback } from "react";
import type { AgentRef } from "../../../../workers/protocol.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { HistogramList } from "./HistogramList.tsx";

interface Props {
  readonly run: string;
  readonly agent: AgentRef;
}

/**
 * Histograms of an agent's weights, one per tensor. For another agent, mount a new component (set a `key`).
 */
export function WeightHistograms({ run, agent }: Props) {
  const { coordinator } = useWorkbench();
  const read = useCallback(async () => {
    const networks = await coordinator.network(run, agent);
    return networks.flatMap(({ name, weights }) =>
      weights.map((tensor) => ({
        name: `${name}.${tensor.name}`,
        note: tensor.shape.join(" × "),
        histogram: tensor.histogram,
      })),
    );
  }, [coordinator, run, agent]);
  return <HistogramList what="weights" read={read} />;
}
