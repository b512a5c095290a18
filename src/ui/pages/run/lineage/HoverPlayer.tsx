import { useCallback, useEffect, useState } from "react";
import { MiniStage } from "../../../stage/MiniStage.tsx";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { useStoredNear } from "../history/stored.ts";

/** Milliseconds for which the pointer rests before an agent is looked up. */
const REST = 250;

interface Props {
  readonly run: string;
  readonly index: number;
  readonly generation: number;
  /** Index of the lineage's colour, 0 to 7. */
  readonly colour: number;
}

/** The agent under the pointer at play, if its weights are stored. For another agent, set a `key`. */
export function HoverPlayer({ index, ...rest }: Props) {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), REST);
    return () => clearTimeout(timer);
  }, []);
  return rested ? <Found index={index} {...rest} /> : null;
}

function Found({ run, index, generation, colour }: Props) {
  const { coordinator } = useWorkbench();
  const { agent } = useStoredNear(run, index, generation);
  const read = useCallback(async () => {
    return agent ? coordinator.agent(run, agent.ref) : null;
  }, [coordinator, run, agent]);
  const { value: file } = useAnswer(agent ? read : null);
  if (agent === null) return <span className="dim block">Its weights are not stored.</span>;
  if (!file) return null;
  return (
    <>
      <MiniStage file={file} colour={colour} />
      {file.generation !== generation && <span>As of generation {file.generation}</span>}
    </>
  );
}
