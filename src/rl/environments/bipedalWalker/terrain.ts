/**
 * BipedalWalker's terrain. Each point takes its height from the section that it is in. Sections of grass roll; in the
 * hardcore version they alternate with stumps, stairs and pits, whose boxes stand on or in the ground.
 */
import type { Draws } from "../face/EpisodicEnvironment.ts";
import {
  GRASS_POINTS,
  START_POINTS,
  TERRAIN_HEIGHT,
  TERRAIN_POINTS,
  TERRAIN_STEP,
  terrainX,
} from "./geometry.ts";

/** An upright box; (x, y) is its lower left corner. */
export interface TerrainBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Terrain {
  readonly heights: readonly number[];
  /** None without obstacles. */
  readonly boxes: readonly TerrainBox[];
}

/** The obstacles, in the order of Gymnasium's draws. */
const OBSTACLES = ["stump", "stairs", "pit"] as const;
type Section = "grass" | (typeof OBSTACLES)[number];

/** Largest random change of the slope from point to point, and the pull towards the mean height. */
const ROUGHNESS = 1 / 30;
const PULL = 0.01;
/** Points of one stair. */
const STAIR_POINTS = 4;
const PIT_DEPTH = 4 * TERRAIN_STEP;

/** A box whose sides are counted in steps of the terrain. */
const boxOf = (x: number, y: number, columns: number, rows: number): TerrainBox => ({
  x,
  y,
  width: columns * TERRAIN_STEP,
  height: rows * TERRAIN_STEP,
});

/** Draws a terrain, from Gymnasium's draws in Gymnasium's order. @param hardcore Whether it has obstacles. */
export function drawTerrain(hardcore: boolean, draws: Draws): Terrain {
  const heights: number[] = [];
  const boxes: TerrainBox[] = [];
  let section: Section = "grass";
  /** Whether the point is the section's first. */
  let first = false;
  let left = START_POINTS;
  let [y, slope] = [TERRAIN_HEIGHT, 0];
  /** Height before the obstacle. */
  let level = 0;
  let stairs = { count: 0, rise: 1 };
  for (let point = 0; point < TERRAIN_POINTS; point++) {
    const x = terrainX(point);
    if (section === "grass" && !first) {
      slope = 0.8 * slope + PULL * Math.sign(TERRAIN_HEIGHT - y);
      if (point > START_POINTS) slope += (2 * draws.uniform() - 1) * ROUGHNESS;
      y += slope;
    } else if (section === "stump" && first) {
      left = 1 + draws.integer(2);
      boxes.push(boxOf(x, y, left, left));
    } else if (section === "stairs" && first) {
      const rise = draws.uniform() > 0.5 ? 1 : -1;
      // Gymnasium draws the width of a stair from one value.
      draws.integer(1);
      stairs = { count: 3 + draws.integer(2), rise };
      for (let stair = 0; stair < stairs.count; stair++) {
        const [along, up] = [stair * STAIR_POINTS, stair * rise - 1];
        boxes.push(boxOf(x + along * TERRAIN_STEP, y + up * TERRAIN_STEP, STAIR_POINTS, 1));
      }
      left = stairs.count * STAIR_POINTS;
      level = y;
    } else if (section === "stairs") {
      const past = stairs.count * STAIR_POINTS - left - stairs.rise;
      y = level + (past / STAIR_POINTS) * stairs.rise * TERRAIN_STEP;
    } else if (section === "pit" && first) {
      const width = 3 + draws.integer(2);
      for (const edge of [x, x + width * TERRAIN_STEP])
        boxes.push({ x: edge, y: y - PIT_DEPTH, width: TERRAIN_STEP, height: PIT_DEPTH });
      left = width + 2;
      level = y;
    } else if (section === "pit") {
      y = left > 1 ? level - PIT_DEPTH : level;
    }
    heights.push(y);
    first = false;
    if (--left === 0) {
      left = GRASS_POINTS / 2 + draws.integer(GRASS_POINTS / 2);
      section = section === "grass" && hardcore ? (OBSTACLES[draws.integer(3)] ?? "grass") : "grass";
      first = true;
    }
  }
  return { heights, boxes };
}
