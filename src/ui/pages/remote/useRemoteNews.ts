import { useEffect, useState } from "react";
import type { RemoteMachines } from "../../../workers/pages.ts";
import type { RunSummary } from "../../../workers/protocol.ts";
import { messageOf } from "../../lib/format.ts";
import { remoteCalls, remoteRuns, tellSilence } from "../../state/remotePlatform.ts";

/** The platform's latest answer. */
export interface RemoteNews {
  readonly machines: RemoteMachines | null;
  readonly runs: readonly RunSummary[] | null;
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly readAt: number;
  /** Why the latest request failed; null if it succeeded. */
  readonly problem: string | null;
}

const NOTHING_YET: RemoteNews = { machines: null, runs: null, readAt: 0, problem: null };

/**
 * Milliseconds between an answer and the next request. Polling is needed because a platform sends events only
 * for single runs.
 */
const PAUSE = 3000;

/** Polls the platform for its machines and a project's runs while a component shows them. */
export function useRemoteNews(project: string): RemoteNews {
  const [{ of, news }, setNews] = useState({ of: project, news: NOTHING_YET });
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    const change = (next: (before: RemoteNews) => RemoteNews): void =>
      setNews((old) => ({ of: project, news: next(old.of === project ? old.news : NOTHING_YET) }));
    const ask = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      try {
        const calls = remoteCalls();
        const [machines, runs] = await Promise.all([calls.machines(), calls.listRuns(project)]);
        if (!wanted) return;
        setNews({ of: project, news: { machines, runs, readAt: Date.now(), problem: null } });
        tellSilence(null);
      } catch (error) {
        if (!wanted) return;
        const problem = messageOf(error);
        change((before) => ({ ...before, problem }));
        tellSilence(problem);
      } finally {
        asking = false;
      }
      if (wanted) timer = setTimeout(askIfSeen, PAUSE);
    };
    const askIfSeen = (): void => {
      clearTimeout(timer);
      if (!document.hidden) void ask();
    };
    void ask();
    document.addEventListener("visibilitychange", askIfSeen);
    const end = remoteRuns.onEvent((event) => {
      if (event.kind !== "state") return;
      const { run, state } = event;
      const withState = (one: RunSummary) => (one.id === run ? { ...one, state } : one);
      change((before) => ({ ...before, runs: before.runs?.map(withState) ?? null }));
    });
    return () => {
      wanted = false;
      clearTimeout(timer);
      end();
      document.removeEventListener("visibilitychange", askIfSeen);
    };
  }, [project]);
  return of === project ? news : NOTHING_YET;
}
