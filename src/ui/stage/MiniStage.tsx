import { useEffect, useRef, useState } from "react";
import type { AgentFile } from "../../workers/protocol.ts";
import { StageClient } from "./StageClient.ts";
import { castMember, wantsStillness } from "./stageSettings.ts";
import "./PlayerStage.css";

/** Share of one thread's time that the stage may use. */
const SHARE = 0.3;
/** Steps before a still. */
const POSE = 40;

interface Props {
  readonly file: AgentFile;
  /** Index of the lineage's colour, 0 to 7. */
  readonly colour: number;
}

/** An agent at play without controls; a still for users who asked for reduced motion. */
export function MiniStage({ file, colour }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const stage = new StageClient(element, {
      share: SHARE,
      hear: (message) => {
        if (message.kind === "problem") setProblem(message.message);
      },
    });
    stage.play(!wantsStillness());
    stage.cast({ id: 1, members: [castMember(element, { key: "agent", file, colour })], pose: POSE });
    return () => stage.close();
  }, [file, colour]);
  return problem === null ? (
    <div className="player__canvas canvases framed wide relative sunken cropped" ref={host} />
  ) : (
    <>{problem}</>
  );
}
