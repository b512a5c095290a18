/** Whether the reader asked for less motion. */
export const wantsStillness = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
