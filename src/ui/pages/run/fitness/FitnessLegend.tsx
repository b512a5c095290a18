import { Legend, LegendEntry, LineageSwatch } from "../../../components/marks.tsx";
import { formatScore } from "../../../lib/format.ts";
import type { FitnessModel } from "./fitnessModel.ts";

const DASHES = ["1 3", "6 3", "2 2 6 2", "10 4", "1 2 1 5", "4 2 1 2 1 2"] as const;

/**
 * The dash pattern that distinguishes the line of a member's agent.
 * @param agent Index of the agent in the member.
 */
export const agentDash = (agent: number): string => DASHES[agent % DASHES.length] ?? DASHES[0];

/** The legend of the fitness chart. */
export function FitnessLegend({ model }: { readonly model: FitnessModel }) {
  const { crowded, smooth, target, agents, all } = model;
  return (
    <Legend>
      <LegendEntry of="elite">elite and its ancestors</LegendEntry>
      <LegendEntry of="best">best so far</LegendEntry>
      {crowded ? (
        <>
          <LegendEntry of="median">median</LegendEntry>
          <LegendEntry of="inner">middle half</LegendEntry>
          <LegendEntry of="outer">lowest to highest</LegendEntry>
        </>
      ) : (
        <>
          <li>
            <LineageSwatch colour={0} />
            <LineageSwatch colour={1} /> surviving lineages, one colour each
          </li>
          <LegendEntry of="ended">ended lineages</LegendEntry>
        </>
      )}
      {all.selected !== null && <LegendEntry of="selected">selected</LegendEntry>}
      {agents.map((id, agent) => (
        <li key={id}>
          <svg className="legend__agent" viewBox="0 0 24 4" aria-hidden="true">
            <path d="M0 2h24" stroke="var(--ink-2)" strokeWidth="2" strokeDasharray={agentDash(agent)} />
          </svg>{" "}
          {id}
        </li>
      ))}
      {target !== null && <LegendEntry of="target">target {formatScore(target)}</LegendEntry>}
      {smooth && <li className="dim">Smoothed, with raw values behind.</li>}
    </Legend>
  );
}
