import { useMemo, useRef } from "react";
import { tileGrid } from "../../stage/places.ts";
import { slotColour } from "../lib/drawing.ts";
import { formatScore } from "../lib/format.ts";
import { useElementSize } from "../lib/useElement.ts";
import { useHistory } from "../pages/run/history/WithHistory.tsx";
import { captionHeight, useWall } from "../pages/run/wall/useWall.ts";
import { runAgents } from "../pages/run/wall/WallFeed.ts";
import { wantsStillness } from "../stage/stageSettings.ts";
import type { RunView } from "../state/RunView.ts";
import { useWorkbench } from "../state/Workbench.ts";
import "../pages/run/wall/Wall.css";

interface Props {
  readonly session: RunView;
  readonly id: string;
}

/** The members at play, without anything to press. */
export function LiveWall({ session, id }: Props) {
  const { coordinator } = useWorkbench();
  const host = useRef<HTMLDivElement>(null);
  const { width, height, ref } = useElementSize();
  const { history } = useHistory(session);
  const agents = useMemo(() => runAgents(coordinator, id), [coordinator, id]);
  const wall = useWall(host, {
    session,
    history,
    agents,
    generation: null,
    playing: !wantsStillness(),
    covered: false,
  });
  const { members } = wall;
  const caption = captionHeight(members.length);
  const grid = tileGrid(members.length, width, height, caption);
  const problem = wall.problem ?? wall.unread;
  return (
    <div className="wall__stage live__wall grow relative" ref={ref} data-moving={wall.moving}>
      <div className="wall__canvas canvases cover" ref={host} />
      <ul className="wall__tiles cover" aria-label="Members playing" data-changing={wall.changing}>
        {members.map(({ index, colour, fitness, elite, tag }, position) => {
          const place = grid.place(position);
          return (
            <li
              key={index}
              style={{ left: place.x, top: place.y, width: place.width, height: place.height + caption }}
            >
              <div className="wall__tile fill framed wide cropped" data-best={elite} title={tag?.text}>
                <span className={caption === 0 ? "visually-hidden" : "wall__caption tiny soft cropped row"}>
                  <span className="dot" style={{ background: slotColour(colour) }} /> #{index}{" "}
                  <span className="wall__rank dim push">{fitness === null ? "" : formatScore(fitness)}</span>
                </span>
              </div>
            </li>
          );
        })}
      </ul>
      {members.length === 0 && problem === null && (
        <p className="wall__waiting cover small dim">Loading the members…</p>
      )}
      {problem !== null && <output className="bad wall__waiting cover small">{problem}</output>}
    </div>
  );
}
