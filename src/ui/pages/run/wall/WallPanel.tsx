import { type ReactNode, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { trainsOnText } from "../../../../specs/sections.ts";
import { Button } from "../../../components/Button.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { useElementSize } from "../../../lib/useElement.ts";
import { wantsStillness } from "../../../stage/stageSettings.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { useHistory } from "../history/WithHistory.tsx";
import { LazyFilmDialog } from "../lazyParts.tsx";
import { noAgentsText } from "../runTexts.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { SteeringMenu } from "../steering/SteeringMenu.tsx";
import { canSteer, useProtected } from "../steering/steering.ts";
import { PlayerDialog } from "./PlayerDialog.tsx";
import { useTimeLapse } from "./useTimeLapse.ts";
import { useWall } from "./useWall.ts";
import { runAgents, type StageAgents } from "./WallFeed.ts";
import { WallFoot } from "./WallFoot.tsx";
import { WallTiles } from "./WallTiles.tsx";
import type { WallMember } from "./wallMembers.ts";
import "./Wall.css";

interface Props {
  readonly session: RunView;
  readonly agents: StageAgents;
}

const NOBODY: ReadonlySet<number> = new Set();

/** The whole population playing side by side. */
export function Wall({ session, agents }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { width, height, ref } = useElementSize();
  const [playing, setPlaying] = useState(() => !wantsStillness());
  const [open, setOpen] = useState<WallMember | null>(null);
  const [perturbed, setPerturbed] = useState(false);
  const [filming, setFilming] = useState(false);
  const { history } = useHistory(session);
  const route = useRunRoute();
  const { generation } = route;
  const lapse = useTimeLapse(route, session.columns.generation);
  const wall = useWall(host, {
    session,
    history,
    agents,
    generation,
    perturbed,
    playing,
    covered: open !== null || filming,
  });
  const protectedNow = useProtected(session);
  const { summary, manifest, latest } = useStore(session.view);
  const steered = canSteer(summary);
  const played = wall.members[0]?.file.generation;
  const menuOf = ({ index, file }: WallMember): ReactNode => {
    const report = session.reports.get(file.generation);
    const member = report?.members.find((one) => one.index === index);
    if (!steered || generation !== null || !report || !member) return null;
    const isProtected = protectedNow.has(index);
    return <SteeringMenu session={session} member={member} report={report} isProtected={isProtected} />;
  };
  const hasCopies = latest?.members.some(({ hyperparameters }) => "perturbations" in hyperparameters);
  const problem = wall.problem ?? wall.unread;
  return (
    <Panel
      title={wall.copies ? "Copies playing" : "Population playing"}
      className="fill wall"
      head={
        <>
          {played !== undefined && <GenerationNote shown={wall.asked === generation ? played : undefined} />}
          {(lapse.running || session.columns.generations > 1) && (
            <Button small onClick={lapse.running ? lapse.stop : lapse.start}>
              {lapse.running ? "Stop time-lapse" : "Time-lapse"}
            </Button>
          )}
          {!lapse.running && session.columns.generations > 1 && (
            <Button small onClick={lapse.selection}>
              Selection
            </Button>
          )}
          {hasCopies && (
            <Button small onClick={() => setPerturbed(!perturbed)}>
              {perturbed ? "Members" : "Copies"}
            </Button>
          )}
          {summary !== null && summary.generation > 0 && (
            <Button small onClick={() => setFilming(true)}>
              Film
            </Button>
          )}
          <Button small onClick={() => setPlaying(!playing)}>
            {playing ? "Pause playback" : "Play"}
          </Button>
        </>
      }
    >
      <div className="wall__stage grow relative" ref={ref} data-moving={wall.moving}>
        <div className="wall__canvas canvases cover" ref={host} />
        {wall.members.length > 0 && wall.copies === null && (
          <WallTiles
            members={wall.members}
            changing={wall.changing}
            unable={wall.unable}
            protectedNow={generation === null ? protectedNow : NOBODY}
            width={width}
            height={height}
            menuOf={menuOf}
            onOpen={setOpen}
            clonable={steered && generation === null && !trainsOnText(manifest)}
          />
        )}
        {wall.members.length === 0 && problem === null && (
          <p className="wall__waiting cover small dim">
            {wall.nobody ? summary && noAgentsText(summary) : "Loading…"}
          </p>
        )}
      </div>
      {wall.members.length > 0 && (
        <WallFoot members={wall.members} copies={wall.copies} population={session.columns.population} />
      )}
      {problem !== null && <output className="bad wall__trouble small">{problem}</output>}
      {filming && summary !== null && (
        <LazyFilmDialog
          session={session}
          summary={summary}
          agents={agents}
          onClose={() => setFilming(false)}
        />
      )}
      {open !== null && <PlayerDialog member={open} agents={agents} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

export { preloadNextStage } from "../../../stage/StageClient.ts";

/** The wall of an open run's population. */
export function WallPanel({ session }: { readonly session: RunView }) {
  const { coordinator } = useWorkbench();
  const id = useStore(session.view, ({ summary }) => summary?.id ?? null);
  const agents = useMemo(() => (id === null ? null : runAgents(coordinator, id)), [coordinator, id]);
  return agents && <Wall session={session} agents={agents} />;
}
