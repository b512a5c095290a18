/**
 * Layout of a cohort's record of each member, in words: the address of its table, the number of runs left,
 * and where the current run was suspended. Stage 0 is the program's start.
 */
export const RECORD = {
  table: 0,
  left: 1,
  stage: 2,
  /** Position and count of the loops around the stage, outermost first. */
  loops: [
    { position: 3, count: 4 },
    { position: 5, count: 6 },
  ],
  words: 7,
} as const;

/** Nesting depth of loops in which a program can be suspended and resumed. */
export const CUT_DEPTH = RECORD.loops.length;
