import { formatScore } from "../../../lib/format.ts";

/** A score so far, and whether the episode has ended. */
export interface DuelScore {
  readonly total: number;
  readonly ended: boolean;
}

/** How a duel stands, in words; "" while both still play. */
export function duelText(own: DuelScore, agent: DuelScore): string {
  const [mine, its] = [formatScore(own.total), formatScore(agent.total)];
  if (own.ended && agent.ended) {
    if (own.total === agent.total) return `A draw: both have ${mine}.`;
    return own.total > agent.total ? `You win, ${mine} to ${its}.` : `The agent wins, ${its} to ${mine}.`;
  }
  if (own.ended) return `You have ${mine}. The agent still plays.`;
  return agent.ended ? `The agent has ${its}. You still play.` : "";
}
