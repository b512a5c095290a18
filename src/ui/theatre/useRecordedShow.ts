import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { FromStage } from "../../stage/stageProtocol.ts";
import { messageOf } from "../lib/format.ts";
import { StageClient } from "../stage/StageClient.ts";
import { castMember } from "../stage/stageSettings.ts";
import { loadRecording } from "./loadRecording.ts";
import { type Act, recordedActs } from "./recordedActs.ts";

/** Milliseconds for which a generation plays before the next one: the first, the last and the others. */
const STAY = { first: 3000, last: 9000, other: 4000 } as const;
/** Nothing trains beside it. */
const SHARE = 1;
/** Steps before a still: by then those who can run are running. */
const POSE = 40;

interface Show {
  readonly acts: readonly Act[];
  /** Position of the act on stage, or on its way there; -1 before the first. */
  readonly at: number;
  /** Whether an act gives way to the next. */
  readonly changing: boolean;
  readonly moving: boolean;
  readonly problem: string | null;
}

const EMPTY: Show = { acts: [], at: -1, changing: false, moving: false, problem: null };

/** Plays the recorded run in `host`, over and over. Returns its state, and a function that shows another act. */
export function useRecordedShow(
  host: RefObject<HTMLElement | null>,
  playing: boolean,
): readonly [Show, (at: number) => void] {
  const [show, setShow] = useState(EMPTY);
  const [wanted, setWanted] = useState(0);
  const [seen, setSeen] = useState(true);
  const stage = useRef<StageClient | null>(null);
  const change = useCallback((next: Partial<Show>) => setShow((old) => ({ ...old, ...next })), []);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    let closed = false;
    const hear = (message: FromStage): void => {
      if (message.kind === "changing") change({ at: message.cast, changing: true });
      else if (message.kind === "shown") change({ at: message.cast, changing: false });
      else if (message.kind === "moving") change({ moving: true });
      else if (message.kind === "problem") change({ problem: message.message });
    };
    const client = new StageClient(element, { share: SHARE, hear, onSeen: setSeen });
    stage.current = client;
    loadRecording().then(
      (recording) => !closed && change({ acts: recordedActs(recording) }),
      (error: unknown) => !closed && change({ problem: messageOf(error) }),
    );
    return () => {
      closed = true;
      client.close();
      stage.current = null;
      setShow(EMPTY);
    };
  }, [host, change]);

  const { acts, at, changing } = show;
  useEffect(() => stage.current?.play(playing), [playing]);
  useEffect(() => {
    const [element, act] = [host.current, acts[wanted]];
    if (element === null || act === undefined) return;
    const members = act.players.map((player) => castMember(element, player));
    stage.current?.cast({ id: wanted, members, pose: POSE });
  }, [host, acts, wanted]);
  useEffect(() => {
    if (!playing || !seen || changing || at !== wanted) return undefined;
    const last = at === acts.length - 1;
    const stay = at === 0 ? STAY.first : last ? STAY.last : STAY.other;
    const timer = setTimeout(() => setWanted(last ? 0 : at + 1), stay);
    return () => clearTimeout(timer);
  }, [acts, at, changing, playing, seen, wanted]);
  return [show, setWanted];
}
