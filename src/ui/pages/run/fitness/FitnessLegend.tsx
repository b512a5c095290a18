import { LineageSwatch } from "../../../components/marks.tsx";
import { formatScore } from "../../../lib/format.ts";
import type { FitnessModel } from "./fitnessModel.ts";
import "../../../components/components.css";

const DASHES = ["1 3", "6 3", "2 2 6 2", "10 4", "1 2 1 5", "4 2 1 2 1 2"] as const;

/**
 * The dash pattern that distinguishes the line of a member's agent.
 * @param agent Index of the agent in the member.
 */
export const agentDash = (agent: number): string => DASHES[agent % DASHES.length] ?? DASHES[0];

const Sample = ({ of: name }: { readonly of: string }) => (
  <i className={`legend__${name}`} aria-hidden="true" />
);

/** The legend of the fitness chart. */
export function FitnessLegend({ model }: { readonly model: FitnessModel }) {
  const { crowded, smooth, target, agents, all } = model;
  return (
    <ul className="legend" aria-label="Legend">
      <li>
        <Sample of="elite" /> elite and its ancestors
      </li>
      <li>
        <Sample of="best" /> best so far
      </li>
      {crowded ? (
        <>
          <li>
            <Sample of="median" /> median
          </li>
          <li>
            <Sample of="inner" /> middle half
          </li>
          <li>
            <Sample of="outer" /> lowest to highest
          </li>
        </>
      ) : (
        <>
          <li>
            <LineageSwatch colour={0} />
            <LineageSwatch colour={1} /> surviving lineages, one colour each
          </li>
          <li>
            <Sample of="ended" /> ended lineages
          </li>
        </>
      )}
      {all.selected !== null && (
        <li>
          <Sample of="selected" /> selected
        </li>
      )}
      {agents.map((id, agent) => (
        <li key={id}>
          <svg className="legend__agent" viewBox="0 0 24 4" aria-hidden="true">
            <path d="M0 2h24" stroke="var(--ink-2)" strokeWidth="2" strokeDasharray={agentDash(agent)} />
          </svg>{" "}
          {id}
        </li>
      ))}
      {target !== null && (
        <li>
          <Sample of="target" /> target {formatScore(target)}
        </li>
      )}
      {smooth && <li className="legend__hint">Smoothed, with raw values behind.</li>}
    </ul>
  );
}
