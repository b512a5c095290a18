import { useEffect, useRef } from "react";
import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import { Facts, fact } from "../../../components/Facts.tsx";
import { mutationName } from "../../../components/marks.tsx";
import { Fitness } from "../../../games/fitnessWord.tsx";
import { formatCount, formatHyperparameter, formatScore } from "../../../lib/format.ts";
import { formatRoute, type RunRoute } from "../../../routes/route.ts";
import type { Reading } from "../history/stored.ts";
import { ancestry } from "./memberAt.ts";

interface Props {
  readonly route: RunRoute;
  readonly member: MemberReport;
  /** The report of the member's generation and of those before it, newest first, as far as loaded. */
  readonly generations: readonly GenerationReport[];
  /** The loading state of the other generations. */
  readonly reading: Reading;
  /** Its relation to the selected member, such as "ancestor of #3"; null if it is the selected member. */
  readonly as: string | null;
}

const NOTES: Readonly<Record<Reading["state"], string | null>> = {
  there: null,
  reading: "Loading earlier generations…",
  lost: "The log of earlier generations was deleted or damaged.",
  failed: "Earlier generations could not be read.",
};

function Values({
  title,
  values,
  format = formatHyperparameter,
}: {
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
  readonly format?: (value: number) => string;
}) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <Facts
        className="details__values"
        rows={entries.map(([name, value]) => fact(<code>{name}</code>, format(value)))}
      />
    </div>
  );
}

/** The details of one member: its values and its ancestry. */
export function MemberDetails({ route, member, generations, reading, as }: Props) {
  const line = ancestry(generations, member);
  const note = NOTES[reading.state];
  const card = useRef<HTMLElement>(null);
  // Below a long table it would be opened out of sight.
  useEffect(() => {
    // The braces matter: newer browsers return a promise, which is no clean-up.
    card.current?.scrollIntoView({ block: "nearest" });
  }, [route.member]);
  return (
    <section
      className="details sunken rule-above panel__body"
      ref={card}
      aria-label={`Member ${member.index}`}
    >
      <h3 className="details__title whole-row">
        Member #{member.index}
        <span>
          {as !== null && ` ${as},`} in slot {member.slot}
        </span>
      </h3>
      <Values title="Fitness of each agent" values={member.agent_fitness ?? {}} format={formatScore} />
      <Values title="Hyperparameters" values={member.hyperparameters} />
      <Values
        title="Metrics of this generation"
        values={{ ...member.metrics, learn_steps: member.learn_steps }}
      />
      <div>
        <h3>Ancestry</h3>
        <ol className="quiet details__ancestry">
          {line.map((entry) => (
            <li key={entry.generation}>
              <a href={formatRoute({ ...route, generation: entry.generation, member: entry.index })}>
                generation {formatCount(entry.generation)}
              </a>
              : #{entry.index}, <Fitness /> {formatScore(entry.fitness)}, {mutationName(entry.mutation)}
            </li>
          ))}
        </ol>
        {note !== null && <p className="small dim">{note}</p>}
      </div>
    </section>
  );
}
