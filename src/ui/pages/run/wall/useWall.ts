import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { FromStage } from "../../../../stage/stageProtocol.ts";
import type { GenerationReport } from "../../../../tracking/observer.ts";
import type { AgentFile } from "../../../../workers/protocol.ts";
import type { HistoryStore } from "../../../series/HistoryStore.ts";
import { LINEAGE_COLOURS } from "../../../series/lineageColours.ts";
import { StageClient } from "../../../stage/StageClient.ts";
import { castMember, stageShare } from "../../../stage/stageSettings.ts";
import type { RunView } from "../../../state/RunView.ts";
import { type StageAgents, WallFeed } from "./WallFeed.ts";
import { type WallCopies, wallCopies } from "./wallCopies.ts";
import { playerOf, type WallMember, wallMembers } from "./wallMembers.ts";

/** Height of a tile's caption in CSS pixels, as in Wall.css. */
const CAPTION = 24;
/** From this number of members on, pictures are too small for captions, which only screen readers hear. */
const CROWD = 48;

/** Height below each picture, CSS pixels. */
export const captionHeight = (members: number): number => (members < CROWD ? CAPTION : 0);

/** Steps before a still, for users who asked for reduced motion. */
const POSE = 40;

interface WallState {
  /** Members on the wall, in the order of their tiles. */
  readonly members: readonly WallMember[];
  /** The copies that play in their place; null for none. */
  readonly copies: WallCopies | null;
  /** The generation that was asked for when they were read; null for the newest. */
  readonly asked: number | null;
  /** Whether they give way to the next ones. */
  readonly changing: boolean;
  /** Whether no agents of the run are stored. */
  readonly nobody: boolean;
  /** Why the stage cannot play; null if it can. */
  readonly problem: string | null;
  /** Why members could not be read; null if the last read succeeded. */
  readonly unread: string | null;
  /** By member index, why the member cannot play. */
  readonly unable: ReadonlyMap<number, string>;
  /** Whether the animation has started. */
  readonly moving: boolean;
}

interface Wanted {
  readonly session: RunView;
  readonly history: HistoryStore;
  readonly agents: StageAgents;
  /** The shown generation; null for the newest. */
  readonly generation: number | null;
  /** Whether the champion's perturbed copies play, where there are any (default: false). */
  readonly perturbed?: boolean;
  readonly playing: boolean;
  /** Whether a dialog covers the wall. */
  readonly covered: boolean;
}

const EMPTY: WallState = {
  members: [],
  copies: null,
  asked: null,
  changing: false,
  nobody: false,
  problem: null,
  unread: null,
  unable: new Map(),
  moving: false,
};

/** Plays the members of a run on a stage in `host`: the newest generation, live, or the selected one. */
export function useWall(
  host: RefObject<HTMLElement | null>,
  { session, history, agents, generation: looked, perturbed = false, playing, covered }: Wanted,
): WallState {
  const [state, setState] = useState(EMPTY);
  const stage = useRef<StageClient | null>(null);
  const feed = useRef<WallFeed | null>(null);
  const share = useStore(session.view, ({ summary }) => stageShare(summary?.state === "running"));
  const generation = useStore(session.view, ({ latest }) => latest?.generation ?? 0);
  const firstShare = useRef(share);
  const wanted = useRef(looked);
  const copying = useRef(perturbed);
  const change = useCallback((next: Partial<WallState>) => setState((old) => ({ ...old, ...next })), []);

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    let shown: readonly WallMember[] = [];
    const casts = new Map<number, Pick<WallState, "members" | "copies" | "asked">>();
    let asked: number | null = null;
    const hear = (message: FromStage): void => {
      switch (message.kind) {
        case "changing":
          return change({ changing: true });
        case "shown": {
          const cast = casts.get(message.cast);
          shown = cast?.members ?? shown;
          for (const other of casts.keys()) if (other < message.cast) casts.delete(other);
          change({ ...cast, changing: false, problem: null });
          return;
        }
        case "moving":
          return change({ moving: true });
        case "problem": {
          const { key, message: reason } = message;
          if (key === null) change({ problem: reason });
          else setState((old) => ({ ...old, unable: new Map(old.unable).set(Number(key), reason) }));
          return;
        }
        case "readings":
        case "outputs":
        case "layers":
        case "advice":
        case "filming":
        case "filmed":
        case "packed":
        case "pong":
        case "opened":
      }
    };
    const onSeen = (seen: boolean): void => feed.current?.look("seen", seen);
    const client = new StageClient(element, { hear, onSeen, share: firstShare.current });
    stage.current = client;
    let casting = 0;
    const colourOf = (index: number, slot: number): number =>
      history.founders.of(index) ?? slot % LINEAGE_COLOURS;
    const copiesOf = (members: readonly WallMember[], report: GenerationReport | undefined) => {
      const { options, total_steps } = session.view.getState();
      const steps =
        total_steps === null ? Number.POSITIVE_INFINITY : total_steps / session.columns.population;
      return options && wallCopies(members, { report, seed: options.seed, steps });
    };
    const show = (files: readonly AgentFile[]): void => {
      change({ nobody: files.length === 0 });
      if (files.length === 0) return;
      casting += 1;
      const reportOf = (wanted: number) => session.reports.get(wanted);
      const members = wallMembers(files, shown, { reportOf, columns: history.columns, colourOf });
      const copies = copying.current ? copiesOf(members, reportOf(files[0]?.generation ?? 0)) : null;
      casts.set(casting, { members, copies, asked });
      const players = copies?.players ?? members.map(playerOf);
      client.cast({
        id: casting,
        caption: copies ? 0 : captionHeight(members.length),
        pose: POSE,
        members: players.map((player) => castMember(element, player)),
      });
    };
    const read = async () => {
      const generation = wanted.current;
      const [files] = await Promise.all([agents.agentsAt(generation), history.catchUp()]);
      asked = generation;
      const played = files[0]?.generation ?? 0;
      // Without its report, a past generation plays without words.
      if (played > 0) await session.reports.load(played, played).catch(() => undefined);
      return files;
    };
    feed.current = new WallFeed({ read, show, problem: (unread) => change({ unread }) });
    feed.current.news();
    return () => {
      feed.current?.close();
      client.close();
      stage.current = null;
      feed.current = null;
      setState(EMPTY);
    };
  }, [host, session, history, agents, change]);

  useEffect(() => {
    if (generation > 0 && wanted.current === null) feed.current?.news();
  }, [generation]);
  useEffect(() => {
    if (wanted.current === looked && copying.current === perturbed) return;
    wanted.current = looked;
    copying.current = perturbed;
    feed.current?.asked();
  }, [looked, perturbed]);
  useEffect(() => stage.current?.share(share), [share]);
  useEffect(() => {
    stage.current?.play(playing && !covered);
    feed.current?.look("uncovered", !covered);
  }, [playing, covered]);
  return state;
}
