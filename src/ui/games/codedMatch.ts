/** A match in a game in code, whose only lane is stepped in a sandbox and belongs to the first player. */
import { endedLanes, type Info, infoMasks, type VectorStepResult } from "../../rl/faces.ts";
import type { SandboxedEnvironment } from "../../sandbox/environments.ts";
import type { Question } from "../../stage/stageProtocol.ts";

export type GameLane = Pick<SandboxedEnvironment, "single_action_space" | "reset" | "step" | "positions">;

export interface CodedMatch {
  /** The user's player. */
  readonly seat: number;
  readonly moves: number;
  /** Whose turn it is; null after the end. */
  readonly mover: number | null;
  /** What the mover sees, and the legal actions. */
  readonly question: Readonly<Record<"observation" | "mask", readonly number[]>>;
  /** What the user got so far. */
  readonly total: number;
  readonly truncated: boolean;
}

const moverOf = (info: Info | undefined): number => Number(info?.waits === true);

const questionOf = (
  lane: GameLane,
  observation: Float32Array,
  info: readonly Info[],
): CodedMatch["question"] => ({
  observation: Array.from(observation),
  mask: Array.from(infoMasks(lane.single_action_space, info) ?? []),
});

/** @throws Error naming the game's fault, as {@link movedIn}. */
export async function beginIn(lane: GameLane, seat: number, seed: number): Promise<CodedMatch> {
  const { observation, info } = await lane.reset({ seed });
  const question = questionOf(lane, observation, info);
  return { seat, moves: 0, mover: moverOf(info[0]), question, total: 0, truncated: false };
}

export async function movedIn(lane: GameLane, match: CodedMatch, action: number): Promise<CodedMatch> {
  const next: VectorStepResult = await lane.step([action]);
  const { observation, reward, truncated, info } = next;
  const ended = endedLanes(next)[0] === 1;
  const got = (reward[0] ?? 0) * (match.seat === 0 ? 1 : -1);
  return {
    seat: match.seat,
    moves: match.moves + 1,
    mover: ended ? null : moverOf(info[0]),
    question: questionOf(lane, observation, info),
    total: match.total + got,
    truncated: truncated[0] === 1,
  };
}

/** What an agent is asked where it has the turn. @param simulations Of its search; 0 for none. */
export async function askedIn(lane: GameLane, match: CodedMatch, simulations: number): Promise<Question> {
  if (simulations === 0) return match.question;
  const [position] = await lane.positions();
  return { ...match.question, search: { simulations, position, waits: match.mover === 1 } };
}
