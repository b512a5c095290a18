/** From where each task is seen. */
import type { ModelName } from "../models/models.ts";

export interface View {
  /** Half of the width and height that must be visible, m. */
  readonly half: readonly [width: number, height: number];
  /** The point in the middle, m; along the axes that it follows, relative to the first body. */
  readonly middle: readonly [x: number, y: number, z: number];
  readonly follows: "x" | "xy" | null;
  /** Whether the task is to move along x. */
  readonly travels?: boolean;
  /** Angles of the camera: above the ground, and about the vertical axis, 0 looking along y; degrees. */
  readonly above: number;
  readonly around: number;
  /** Height of the ground and side of its tiles, m; null without ground. */
  readonly ground: readonly [height: number, tile: number] | null;
}

const walking = { follows: "x", travels: true, above: 12, around: 0, ground: [0, 0.5] } as const;
const rail = { follows: null, above: 8, around: 0, ground: null } as const;

export const views: Readonly<Record<ModelName, View>> = {
  InvertedPendulum: { ...rail, half: [1.25, 0.6], middle: [0, 0, 0.25] },
  InvertedDoublePendulum: { ...rail, half: [1.45, 0.9], middle: [0, 0, 0.6] },
  Reacher: {
    half: [0.24, 0.2],
    middle: [0, 0, 0],
    follows: null,
    above: 55,
    around: 0,
    ground: [0, 0.1],
  },
  Pusher: {
    half: [0.85, 0.62],
    middle: [0.25, -0.2, -0.15],
    follows: null,
    above: 38,
    around: 25,
    ground: [-0.325, 0.3],
  },
  Swimmer: {
    half: [2.2, 1.4],
    middle: [-0.2, 0, 0],
    follows: "xy",
    travels: true,
    above: 55,
    around: 0,
    ground: [-0.1, 0.5],
  },
  Hopper: { ...walking, half: [1.1, 0.9], middle: [0, 0, 0.68] },
  HalfCheetah: { ...walking, half: [1.3, 0.85], middle: [0.05, 0, 0.4] },
  Walker2d: { ...walking, half: [1.1, 0.9], middle: [0, 0, 0.68] },
  Ant: {
    half: [1.5, 1],
    middle: [0, 0, 0.35],
    follows: "xy",
    travels: true,
    above: 32,
    around: 25,
    ground: [0, 0.5],
  },
  Humanoid: {
    half: [1.2, 1],
    middle: [0, 0, 0.85],
    follows: "xy",
    travels: true,
    above: 15,
    around: 35,
    ground: [0, 0.5],
  },
  HumanoidStandup: {
    half: [1.35, 0.95],
    middle: [0.3, 0, 0.5],
    follows: "xy",
    above: 22,
    around: 25,
    ground: [0, 0.5],
  },
  Reach: {
    half: [0.55, 0.42],
    middle: [0.25, 0, 0.18],
    follows: null,
    above: 25,
    around: 35,
    ground: [0, 0.2],
  },
  Push: { half: [0.38, 0.32], middle: [0, 0, 0], follows: null, above: 55, around: 0, ground: [0, 0.1] },
};
