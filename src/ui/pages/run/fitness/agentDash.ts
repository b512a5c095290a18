const DASHES = ["1 3", "6 3", "2 2 6 2", "10 4", "1 2 1 5", "4 2 1 2 1 2"] as const;

/**
 * The dash pattern that distinguishes the line of a member's agent.
 * @param agent Index of the agent in the member.
 */
export const agentDash = (agent: number): string => DASHES[agent % DASHES.length] ?? DASHES[0];
