/**
 * What a cohort keeps of each member: the place of its table, how many runs of the program it still has to do, and
 * where it let go in the one under way. Words, in this order; stage 0 is the program's start.
 */
export const RECORD = {
  table: 0,
  left: 1,
  stage: 2,
  /** Position and count of the loops around the stage, the outer first. */
  loops: [
    { position: 3, count: 4 },
    { position: 5, count: 6 },
  ],
  words: 7,
} as const;

/** Loops within loops that a program can be left and entered in. */
export const CUT_DEPTH = RECORD.loops.length;
