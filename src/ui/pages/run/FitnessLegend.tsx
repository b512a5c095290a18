import { Swatch } from "../../components/Swatch.tsx";
import { slotColour } from "../../components/slotStyle.ts";
import { highlightHandlers } from "../../state/highlight.ts";
import { agentDash } from "./agentDash.ts";
import { linedSlots } from "./linedSlots.ts";

interface Props {
  /** Members of the population. */
  readonly slots: number;
  readonly selected: number | null;
  /** Ids of the selected member's agents that have lines. */
  readonly agents: readonly string[];
  /** Whether there is a target. */
  readonly target: boolean;
}

const Sample = ({ of: name }: { readonly of: string }) => (
  <span className={`legend__${name}`} aria-hidden="true" />
);

/** What the lines and bands of the fitness chart are. */
export function FitnessLegend({ slots, selected, agents, target }: Props) {
  // Without the member that is pointed at: the table below must not move under the pointer.
  const { all, lines } = linedSlots(slots, [selected]);
  return (
    <ul className="legend" aria-label="Lines">
      {lines.map((slot) => (
        <li key={slot} {...highlightHandlers(slot)}>
          <Swatch slot={slot} /> {slot}
        </li>
      ))}
      {selected !== null &&
        agents.map((id, agent) => (
          <li key={id}>
            <svg className="legend__agent" viewBox="0 0 24 4" aria-hidden="true">
              <path
                d="M0 2h24"
                stroke={slotColour(selected)}
                strokeWidth="2"
                strokeDasharray={agentDash(agent)}
              />
            </svg>{" "}
            {selected}: {id}
          </li>
        ))}
      <li>
        <Sample of="best" /> best so far
      </li>
      {all ? (
        <li>
          <Sample of="mean" /> mean ± sd
        </li>
      ) : (
        <>
          <li>
            <Sample of="elite" /> elite
          </li>
          <li>
            <Sample of="median" /> median
          </li>
          <li>
            <Sample of="inner" /> middle 50 %
          </li>
          <li>
            <Sample of="outer" /> middle 80 %
          </li>
        </>
      )}
      {target && (
        <li>
          <Sample of="target" /> target
        </li>
      )}
      {!all && <li className="legend__hint">Members have a line while pointed at or open in the table.</li>}
    </ul>
  );
}
