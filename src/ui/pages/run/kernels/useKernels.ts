import { useEffect, useState } from "react";
import type { KernelReport } from "../../../../kernels/devices.ts";
import type { RunStatus } from "../../../../workers/protocol.ts";
import { messageOf } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** Milliseconds between two requests while the run trains. */
const INTERVAL = 2000;

export interface Kernels {
  /** Undefined until the first answer; null if the run is not training. */
  readonly reports: readonly KernelReport[] | null | undefined;
  /** Why the last request failed; null if it succeeded. */
  readonly problem: string | null;
}

/** The compiled programs of a run, polled while it trains. */
export function useKernels(id: string, state: RunStatus): Kernels {
  const { coordinator } = useWorkbench();
  const [kernels, setKernels] = useState<Kernels>({ reports: undefined, problem: null });
  useEffect(() => {
    let shown = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const reports = await coordinator.kernels(id);
        if (shown) setKernels({ reports, problem: null });
      } catch (error) {
        if (shown) setKernels(({ reports }) => ({ reports, problem: messageOf(error) }));
      }
      if (shown && state === "running") timer = setTimeout(() => void ask(), INTERVAL);
    };
    void ask();
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, [coordinator, id, state]);
  return kernels;
}
