/** Largest integer that the counters of programs can hold (i32). */
export const LARGEST_COUNT = 2_147_483_647;
/** Largest number that programs can hold (f32). */
export const LARGEST_REAL = 3.4028234663852886e38;
