import { type RefObject, useEffect, useRef, useState } from "react";
import type { AgentFile } from "../../../../workers/protocol.ts";
import { StageClient } from "../../../stage/StageClient.ts";
import { castMember } from "../../../stage/stageSettings.ts";
import type { DuelTask } from "./duelTask.ts";
import type { DuelScore } from "./duelText.ts";

/** The stage has a whole thread: nothing trains here. */
const SHARE = 1;

interface Wanted {
  readonly file: AgentFile;
  readonly task: DuelTask;
  readonly seed: number;
  /** Steps a second; 0 before the episode begins. */
  readonly rate: number;
}

/** Plays an agent's episode of a seed in `host`. It stands still before it begins, and after its end. */
export function useAgentScore(
  host: RefObject<HTMLElement | null>,
  { file, task, seed, rate }: Wanted,
): DuelScore & { readonly problem: string | null } {
  const [score, setScore] = useState<DuelScore>({ total: 0, ended: false });
  const [problem, setProblem] = useState<string | null>(null);
  const stage = useRef<StageClient | null>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const client = new StageClient(element, {
      share: SHARE,
      hear: (message) => {
        if (message.kind === "problem") setProblem(message.message);
        if (message.kind !== "readings") return;
        // Another episode follows the end of this one.
        const reading = message.readings.find((one) => one.seed === seed);
        if (reading) setScore({ total: reading.total, ended: reading.ended });
      },
    });
    stage.current = client;
    client.play(false);
    client.reseed(seed);
    client.cast({ id: 1, members: [castMember(element, { key: "agent", file, colour: 0 })] });
    return () => {
      client.close();
      stage.current = null;
    };
  }, [host, file, seed]);
  const speed = score.ended ? 0 : rate / task.rate;
  useEffect(() => stage.current?.play(speed > 0, speed), [speed]);
  return { ...score, problem };
}
