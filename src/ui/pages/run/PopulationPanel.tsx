import type { MemberReport } from "../../../training/observer.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import type { RunRoute } from "../../routes/route.ts";
import type { RunView } from "../../state/RunView.ts";
import { hyperparameterNames } from "./hyperparameterNames.ts";
import { MemberDetails } from "./MemberDetails.tsx";
import { MemberRow } from "./MemberRow.tsx";
import "./PopulationPanel.css";

interface Props {
  readonly route: RunRoute;
  readonly view: RunView;
}

/** Runs of earlier builds have reports without the field. */
const isDivided = ({ subpopulation }: MemberReport): boolean => typeof subpopulation === "number";

/** The members of one generation: the latest, or an earlier one to look back. */
export function PopulationPanel({ route, view }: Props) {
  const { generations } = view;
  const chosen =
    route.generation === null ? -1 : generations.findIndex((entry) => entry.generation === route.generation);
  const index = chosen < 0 ? generations.length - 1 : chosen;
  const report = generations[index];
  const show = (generation: number | null): void => replaceRoute({ ...route, generation });
  const select = (slot: number): void =>
    replaceRoute({ ...route, member: route.member === slot ? null : slot });
  const selected = report?.members.find((member) => member.slot === route.member);
  const names = report === undefined ? [] : hyperparameterNames(report);
  const divided = report?.members.some(isDivided) === true;
  const last = index === generations.length - 1;
  return (
    <section className="panel" aria-label="Population">
      <div className="panel__head">
        <h2>Population</h2>
        {report !== undefined && (
          <fieldset className="stepper" aria-label="Shown generation">
            <button
              type="button"
              className="button button--small"
              aria-label="Earlier generation"
              disabled={index <= 0}
              onClick={() => show(generations[index - 1]?.generation ?? null)}
            >
              ‹
            </button>
            <span>after generation {report.generation}</span>
            <button
              type="button"
              className="button button--small"
              aria-label="Later generation"
              disabled={last}
              onClick={() =>
                show(
                  index + 1 >= generations.length - 1 ? null : (generations[index + 1]?.generation ?? null),
                )
              }
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
      {report === undefined ? (
        <p className="empty">The members are listed here after their first evaluation.</p>
      ) : (
        <div className="table-scroll">
          <table className="table population">
            <thead>
              <tr>
                <th scope="col">Slot</th>
                <th scope="col">Index</th>
                <th scope="col" className="number">
                  Fitness
                </th>
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
      {selected !== undefined && <MemberDetails member={selected} generations={generations} />}
    </section>
  );
}
