import { memo } from "react";
import type { MemberReport } from "../../../training/loop/observer.ts";
import { Swatch } from "../../components/Swatch.tsx";
import { formatCount, formatHyperparameter, formatScore, NONE } from "../../lib/format.ts";
import { highlightHandlers, useHighlight } from "../../state/highlight.ts";
import { mutationName } from "./mutationName.ts";

interface Props {
  readonly member: MemberReport;
  /** Hyperparameters in columns of their own. */
  readonly names: readonly string[];
  /** Agents that live in each member, in columns of their own. */
  readonly agents: readonly string[];
  /** Whether selection has subpopulations, shown in a column. */
  readonly divided: boolean;
  readonly elite: boolean;
  readonly selected: boolean;
  readonly onSelect: (slot: number) => void;
}

/** One member of the generation table. */
export const MemberRow = memo(
  function MemberRow({ member, names, agents, divided, elite, selected, onSelect }: Props) {
    const { slot, mutation } = member;
    const lit = useHighlight((state) => state.slot === slot);
    return (
      <tr className={lit ? "population__lit" : undefined} {...highlightHandlers(slot)}>
        <th scope="row">
          <button
            type="button"
            className="population__slot"
            aria-expanded={selected}
            aria-label={`Member ${slot}${elite ? ", elite" : ""}`}
            onClick={() => onSelect(slot)}
          >
            <Swatch slot={slot} /> {slot}
            {elite && <span className="population__elite">elite</span>}
          </button>
        </th>
        <td>#{member.index}</td>
        <td className="number population__fitness">{formatScore(member.fitness)}</td>
        {agents.map((id) => (
          <td key={id} className="number">
            {formatScore(member.agent_fitness?.[id] ?? null)}
          </td>
        ))}
        <td className="number">{formatScore(member.score)}</td>
        <td className="number">{formatCount(member.steps)}</td>
        {names.map((name) => (
          <td key={name} className={name === mutation ? "number population__changed" : "number"}>
            {formatHyperparameter(member.hyperparameters[name] ?? Number.NaN)}
          </td>
        ))}
        {divided && <td className="number">{member.subpopulation}</td>}
        <td className={mutation === "None" ? "population__unchanged" : undefined}>
          {mutationName(mutation)}
        </td>
        <td>{member.parent === null ? NONE : `#${member.parent}`}</td>
        <td className="mono">{member.architecture}</td>
      </tr>
    );
  },
  (before, after) =>
    before.member === after.member &&
    before.names === after.names &&
    before.agents === after.agents &&
    before.divided === after.divided &&
    before.elite === after.elite &&
    before.selected === after.selected,
);
