const DASHES = ["1 3", "6 3", "2 2 6 2", "10 4", "1 2 1 5", "4 2 1 2 1 2"] as const;

/** The dashes by which the lines of a member's agents differ. @param agent Its place among them. */
export const agentDash = (agent: number): string => DASHES[agent % DASHES.length] ?? DASHES[0];
