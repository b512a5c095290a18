/** The models of all tasks, by name. */
import { ant } from "./ant.ts";
import { push, reach } from "./goals.ts";
import { humanoid, humanoidStandup } from "./humanoid.ts";
import type { ModelTable } from "./mjcf.ts";
import { halfCheetah, hopper, walker2d } from "./planar.ts";
import { pusher } from "./pusher.ts";
import { invertedDoublePendulum, invertedPendulum, reacher, swimmer } from "./small.ts";

export const models = {
  InvertedPendulum: invertedPendulum,
  InvertedDoublePendulum: invertedDoublePendulum,
  Reacher: reacher,
  Pusher: pusher,
  Swimmer: swimmer,
  Hopper: hopper,
  HalfCheetah: halfCheetah,
  Walker2d: walker2d,
  Ant: ant,
  Humanoid: humanoid,
  HumanoidStandup: humanoidStandup,
  Reach: reach,
  Push: push,
} as const satisfies Readonly<Record<string, ModelTable>>;

export type ModelName = keyof typeof models;
