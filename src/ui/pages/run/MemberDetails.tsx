import type { GenerationReport, MemberReport } from "../../../training/observer.ts";
import { Swatch } from "../../components/Swatch.tsx";
import { formatCount, formatHyperparameter, formatScore } from "../../lib/format.ts";
import { ancestry } from "./ancestry.ts";
import { mutationName } from "./mutationName.ts";

interface Props {
  readonly member: MemberReport;
  readonly generations: readonly GenerationReport[];
}

function Values({
  title,
  values,
}: {
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
}) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <dl className="details__values">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{formatHyperparameter(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** All there is to know about one member: its values, and how it came to be. */
export function MemberDetails({ member, generations }: Props) {
  const line = ancestry(generations, member);
  return (
    <div className="details">
      <h3 className="details__title">
        <Swatch slot={member.slot} /> Member {member.slot}
        <span> #{member.index}</span>
      </h3>
      <Values title="Hyperparameters" values={member.hyperparameters} />
      <Values
        title="Metrics of this generation"
        values={{ ...member.metrics, learn_steps: member.learn_steps }}
      />
      <div>
        <h3>Ancestry</h3>
        <ol className="details__ancestry">
          {line.map((entry) => (
            <li key={entry.generation}>
              generation {formatCount(entry.generation)}: slot {entry.slot}, fitness{" "}
              {formatScore(entry.fitness)}, {mutationName(entry.mutation)}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
