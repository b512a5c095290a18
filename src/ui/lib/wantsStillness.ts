/** Whether the user prefers reduced motion. */
export const wantsStillness = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
