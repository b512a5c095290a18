import { useState } from "react";
import type { GenerationReport, MemberReport } from "../../../training/loop/observer.ts";
import { formatCount } from "../../lib/format.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import type { RunRoute } from "../../routes/route.ts";
import type { RunSession } from "../../state/RunSession.ts";
import { MAX_ANCESTORS } from "./ancestry.ts";
import { hyperparameterNames } from "./hyperparameterNames.ts";
import { MemberDetails } from "./MemberDetails.tsx";
import { MemberRow } from "./MemberRow.tsx";
import { type Reading, useReports } from "./useReports.ts";
import "./PopulationPanel.css";

interface Props {
  readonly route: RunRoute;
  readonly session: RunSession;
}

/** Runs of earlier builds have reports without the field. */
const isDivided = ({ subpopulation }: MemberReport): boolean => typeof subpopulation === "number";

const NO_AGENTS: readonly string[] = [];
const sameReport = new WeakMap<GenerationReport, readonly string[]>();

/** Ids of the agents that live in each member; none where that is one. */
function agentsIn(report: GenerationReport): readonly string[] {
  const known = sameReport.get(report);
  if (known !== undefined) return known;
  const some = report.members.find(({ agent_fitness }) => agent_fitness);
  const ids = some?.agent_fitness ? Object.keys(some.agent_fitness) : NO_AGENTS;
  sameReport.set(report, ids);
  return ids;
}

/** Why a generation has no table. */
const reasonOf = (reading: Reading, generation: number): string => {
  if (reading.state === "reading") return `Reading generation ${formatCount(generation)} …`;
  if (reading.state === "failed")
    return `Generation ${formatCount(generation)} could not be read: ${reading.problem}`;
  return `Only the fitnesses of generation ${formatCount(generation)} are left: the log with its members was deleted or damaged.`;
};

/** The report of a generation; while it is read, the one that was shown before. */
function useShown(session: RunSession, generation: number, reading: Reading): GenerationReport | undefined {
  const held = session.reports.get(generation);
  const [shown, setShown] = useState(held);
  if (held !== undefined && held !== shown) setShown(held);
  return held ?? (reading.state === "reading" ? shown : undefined);
}

/** The members of one generation: the latest, or an earlier one to look back. */
export function PopulationPanel({ route, session }: Props) {
  const { series, reports } = session;
  const generations = series.axis("generation");
  const newest = series.length - 1;
  const chosen = route.generation === null ? -1 : generations.indexOf(route.generation);
  const index = chosen < 0 ? newest : chosen;
  const generation = index < 0 ? 0 : generations.at(index);
  const ancestors = route.member === null ? 0 : Math.min(index, MAX_ANCESTORS - 1);
  const reading = useReports(session, index < 0 ? 1 : generations.at(index - ancestors), generation);
  const report = useShown(session, generation, reading);
  const show = (next: number | null): void => replaceRoute({ ...route, generation: next });
  const select = (slot: number): void =>
    replaceRoute({ ...route, member: route.member === slot ? null : slot });
  const selected = report?.members.find((member) => member.slot === route.member);
  const names = report === undefined ? [] : hyperparameterNames(report);
  const agents = report === undefined ? NO_AGENTS : agentsIn(report);
  const divided = report?.members.some(isDivided) === true;
  const last = index === newest;
  const line: GenerationReport[] = [];
  for (let at = index; at >= index - ancestors; at -= 1) {
    const before = reports.get(generations.at(at));
    if (before === undefined) break;
    line.push(before);
  }
  return (
    <section className="panel" aria-label="Population">
      <div className="panel__head">
        <h2>Population</h2>
        {index >= 0 && (
          <fieldset className="stepper" aria-label="Shown generation">
            <button
              type="button"
              className="button button--small"
              aria-label="Earlier generation"
              disabled={index <= 0}
              onClick={() => show(generations.at(index - 1))}
            >
              ‹
            </button>
            <span>after generation {generation}</span>
            <button
              type="button"
              className="button button--small"
              aria-label="Later generation"
              disabled={last}
              onClick={() => show(index + 1 >= newest ? null : generations.at(index + 1))}
            >
              ›
            </button>
            <button
              type="button"
              className="button button--small"
              aria-pressed={route.generation === null}
              onClick={() => show(null)}
            >
              Latest
            </button>
          </fieldset>
        )}
      </div>
      {index < 0 && <p className="empty">The members are listed here after their first evaluation.</p>}
      {index >= 0 && report === undefined && <p className="empty">{reasonOf(reading, generation)}</p>}
      {report !== undefined && (
        <div className="table-scroll">
          <table className="table population" aria-busy={report.generation !== generation}>
            <thead>
              <tr>
                <th scope="col">Slot</th>
                <th scope="col">Index</th>
                <th scope="col" className="number">
                  Fitness
                </th>
                {agents.map((id) => (
                  <th key={id} scope="col" className="number">
                    <code>{id}</code>
                  </th>
                ))}
                <th scope="col" className="number">
                  Score
                </th>
                <th scope="col" className="number">
                  Steps
                </th>
                {names.map((name) => (
                  <th key={name} scope="col" className="number">
                    <code>{name}</code>
                  </th>
                ))}
                {divided && <th scope="col">Subpopulation</th>}
                <th scope="col">Last mutation</th>
                <th scope="col">Parent</th>
                <th scope="col">Architecture</th>
              </tr>
            </thead>
            <tbody>
              {report.members.map((member) => (
                <MemberRow
                  key={member.slot}
                  member={member}
                  names={names}
                  agents={agents}
                  divided={divided}
                  elite={member.slot === report.elite}
                  selected={member.slot === route.member}
                  onSelect={select}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {selected !== undefined && (
        <MemberDetails route={route} member={selected} generations={line} reading={reading} />
      )}
    </section>
  );
}
