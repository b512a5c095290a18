import { useCallback, useEffect, useState } from "react";
import type { CheckpointSummary } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** A run's checkpoints as last read. */
export interface Checkpoints {
  /** Newest first; null until read. */
  readonly checkpoints: readonly CheckpointSummary[] | null;
  readonly problem: string | null;
  /** Reads the checkpoints again. */
  readonly read: () => void;
}

/**
 * The checkpoints of a run, read again whenever one is written.
 * @param newest generation of the latest checkpoint
 */
export function useCheckpoints(id: string, newest: number): Checkpoints {
  const { coordinator } = useWorkbench();
  const [checkpoints, setCheckpoints] = useState<readonly CheckpointSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(0);
  useEffect(() => {
    let wanted = true;
    const ask = async (): Promise<void> => {
      try {
        const found = await coordinator.checkpoints(id);
        if (!wanted) return;
        setCheckpoints(found);
        setProblem(null);
      } catch (error) {
        if (wanted) setProblem(messageOf(error));
      }
    };
    void ask();
    return () => {
      wanted = false;
    };
  }, [coordinator, id, newest, reading]);
  const read = useCallback(() => setReading((before) => before + 1), []);
  return { checkpoints, problem, read };
}
