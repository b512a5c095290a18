import { useMemo } from "react";
import { useStore } from "zustand";
import type { RunSession } from "../../../state/RunSession.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { runAgents } from "./StageAgents.ts";
import { Wall } from "./Wall.tsx";

export { preloadStage } from "../../../stage/StageClient.ts";

/** The wall of an open run's population. */
export function WallPanel({ session }: { readonly session: RunSession }) {
  const { coordinator } = useWorkbench();
  const id = useStore(session.view, ({ summary }) => summary?.id ?? null);
  const agents = useMemo(() => (id === null ? null : runAgents(coordinator, id)), [coordinator, id]);
  return agents && <Wall session={session} agents={agents} />;
}
