import { useCallback, useEffect, useRef, useState } from "react";
import type { Episode } from "../../../workers/protocol.ts";
import { messageOf } from "../../lib/messageOf.ts";
import { useWorkbench } from "../../state/WorkbenchContext.ts";

/** Episodes of a run's elite, one at a time. */
export interface Episodes {
  readonly episode: Episode | null;
  readonly problem: string | null;
  /** Asks for the next one, of the elite as it is by then, from another seed. */
  readonly next: () => void;
}

/** Fetches an episode at once and another with every call of `next`. */
export function useEpisodes(id: string): Episodes {
  const { coordinator } = useWorkbench();
  const [episode, setEpisode] = useState<Episode | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [seed, setSeed] = useState(1);
  const waiting = useRef(false);
  useEffect(() => {
    let wanted = true;
    waiting.current = true;
    const fetchEpisode = async (): Promise<void> => {
      try {
        const found = await coordinator.playElite(id, seed);
        if (!wanted) return;
        setProblem(found === null ? "There is no elite yet." : null);
        if (found !== null) setEpisode(found);
      } catch (error) {
        if (wanted) setProblem(messageOf(error));
      } finally {
        if (wanted) waiting.current = false;
      }
    };
    void fetchEpisode();
    return () => {
      wanted = false;
    };
  }, [coordinator, id, seed]);
  const next = useCallback(() => {
    if (!waiting.current) setSeed((before) => before + 1);
  }, []);
  return { episode, problem, next };
}
