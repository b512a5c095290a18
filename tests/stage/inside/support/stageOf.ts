/** A stage with a canvas and a clock that the test holds. */

import { WasmDevice } from "../../../../src/kernels/devices.ts";
import type { UserEnvironment } from "../../../../src/sandbox/environments.ts";
import { CastLoader } from "../../../../src/stage/CastLoader.ts";
import { type OwnLane, OwnLanes } from "../../../../src/stage/OwnLanes.ts";
import type { TileLook } from "../../../../src/stage/Painter.ts";
import { Stage } from "../../../../src/stage/Stage.ts";
import type {
  CastMember,
  FromStage,
  Reading,
  StageSize,
  StageTheme,
} from "../../../../src/stage/stageProtocol.ts";
import type { Moment } from "../../../../src/stage/Transition.ts";

/** All that is settled by now has been heard. */
export const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Of CartPole, ms. */
export const STEP = 20;

interface StageOptions {
  readonly still?: boolean;
  /** Milliseconds of a picture. */
  readonly cost?: number;
  /** Milliseconds of whatever is done between two looks at the clock. */
  readonly work?: number;
  readonly openLane?: (env: UserEnvironment) => Promise<OwnLane>;
}

const noLane = async (): Promise<never> => {
  throw new Error("no sandboxes here");
};

export function stageOf({ still = false, cost = 0, work = 0, openLane = noLane }: StageOptions = {}) {
  const heard: FromStage[] = [];
  const drawn: number[] = [];
  const looks: { readonly place: number; readonly look: TileLook }[] = [];
  let time = 0;
  let strokes = 0;
  let last: Moment | null = null;
  const waiting: ((now: number) => void)[] = [];
  const timers = new Set<{ readonly at: number; readonly act: () => void }>();
  const painter = {
    size: { width: 400, height: 300, ratio: 1 } as StageSize,
    theme: {} as StageTheme,
    resize: () => undefined,
    clear: () => undefined,
    tile: ({ x, y }: { readonly x: number; readonly y: number }, look: TileLook) => {
      drawn.push(x);
      looks.push({ place: 1000 * y + x, look });
      time += cost;
    },
    keep: () => undefined,
    drop: () => undefined,
    moment: (moment: Moment) => {
      strokes += 1;
      last = moment;
    },
  };
  const stage = new Stage({
    painter,
    still,
    rated: false,
    watched: false,
    tell: (message) => heard.push(message),
    nextFrame: (frame) => waiting.push(frame),
    now: () => {
      time += work;
      return time;
    },
    later: (milliseconds, act) => timers.add({ at: time + milliseconds, act }),
    lanes: new OwnLanes(openLane),
  });
  const rings = (): void => {
    for (const timer of timers) {
      if (timer.at > time) continue;
      timers.delete(timer);
      timer.act();
    }
  };
  return {
    stage,
    painter,
    heard,
    drawn,
    /** How tiles were drawn; places grow from tile to tile. */
    looks,
    strokes: () => strokes,
    /** The last moment of a transition. */
    moment: () => last,
    time: () => time,
    /** Something else takes so many milliseconds. */
    take: (milliseconds: number): void => {
      time += milliseconds;
    },
    /** Frames that are asked for. */
    asked: () => waiting.length,
    /** Lets frames come for so many milliseconds. */
    pass: (milliseconds: number, frame = STEP) => {
      for (let passed = 0; passed < milliseconds; passed += frame) {
        time += frame;
        rings();
        for (const one of waiting.splice(0)) one(time);
      }
    },
    /** The same, with all that sandboxes answer meanwhile. */
    passWithAnswers: async (milliseconds: number, frame = STEP): Promise<void> => {
      for (let passed = 0; passed < milliseconds; passed += frame) {
        await answered();
        time += frame;
        rings();
        for (const one of waiting.splice(0)) one(time);
      }
      await answered();
    },
    told: (kind: FromStage["kind"]) => heard.filter((message) => message.kind === kind),
    readings: (): readonly Reading[] =>
      heard.findLast((message) => message.kind === "readings")?.readings ?? [],
  };
}

/** Why a member cannot play in a new loader; null where it can. */
export async function playProblem(member: CastMember): Promise<string | null> {
  const problems: string[] = [];
  const device = new WasmDevice();
  const problem = (_key: string, message: string) => problems.push(message);
  const lanes = new OwnLanes(noLane);
  const loader = new CastLoader(
    { device, lanes, rated: true, watched: false, problem },
    { id: 1, members: [member] },
  );
  await loader.load();
  loader.prepareOne();
  return problems[0] ?? null;
}
