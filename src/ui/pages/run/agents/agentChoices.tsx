import type { AgentRef, KeptAgent } from "../../../../workers/protocol.ts";
import type { FitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";

/** An agent that can be selected, for example for a comparison. */
interface AgentChoice {
  /** Equal for equal references. */
  readonly key: string;
  readonly label: string;
  readonly ref: AgentRef;
}

interface AgentChoices {
  readonly title: string;
  readonly choices: readonly AgentChoice[];
}

export const refKey = (ref: AgentRef): string =>
  [ref.kind, "generation" in ref ? ref.generation : "", "index" in ref ? (ref.index ?? "elite") : ""].join(
    ":",
  );

/** The label of an agent of a run. */
function refLabel(ref: AgentRef, index: number): string {
  switch (ref.kind) {
    case "member":
      return `Member #${index}`;
    case "elite":
      return `Elite, #${index}`;
    case "checkpoint":
      return `Checkpoint of generation ${formatCount(ref.generation)}, ${ref.index === null ? "elite " : ""}#${index}`;
    case "past":
      return `Generation ${formatCount(ref.generation)}, #${index}`;
    case "fame":
      return `Best of generation ${formatCount(ref.generation)}, #${index}`;
  }
}

const GROUPS: readonly (readonly [AgentRef["kind"], string])[] = [
  ["elite", "Current"],
  ["member", "Members"],
  ["past", "League"],
  ["fame", "Hall of fame"],
  ["checkpoint", "Checkpoints"],
];

/**
 * All stored agents of a run, grouped by where they are stored; newest first.
 * @param word What their fitness is called.
 */
export function agentChoices(
  kept: readonly KeptAgent[],
  word: FitnessWord = "fitness",
): readonly AgentChoices[] {
  return GROUPS.map(([kind, title]) => ({
    title,
    choices: kept
      .filter(({ ref }) => ref.kind === kind)
      .toSorted((a, b) => b.generation - a.generation)
      .map(({ ref, index, fitness }) => ({
        key: refKey(ref),
        label: `${refLabel(ref, index)}${fitness === null ? "" : `, ${word} ${formatScore(fitness)}`}`,
        ref,
      })),
  })).filter(({ choices }) => choices.length > 0);
}

/** The choices as groups of options. */
export const AgentOptions = ({ groups }: { readonly groups: readonly AgentChoices[] }) =>
  groups.map(({ title, choices }) => (
    <optgroup key={title} label={title}>
      {choices.map(({ key, label }) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </optgroup>
  ));

/** Tooltip of buttons that fork a run by weights. */
export const FORK_WEIGHTS = "Starts a new run in which every member begins with these weights";
