import { formatCount, formatScore } from "../../../lib/format.ts";
import { LineageSwatch } from "../descent/LineageSwatch.tsx";
import type { FitnessModel, FitnessRow } from "./fitnessModel.ts";

interface Props {
  readonly model: FitnessModel;
  readonly row: FitnessRow;
  readonly format: (value: number) => string;
}

const MAX_MEMBERS = 8;

const range = ([low, high]: readonly [number, number]): string =>
  `${formatScore(low)} – ${formatScore(high)}`;

const Value = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

/** The values of one generation, best first. */
export function FitnessTooltip({ model, row, format }: Props) {
  const { all, axis, crowded } = model;
  const { population, index, fitness, generation } = all.columns;
  const members = Array.from({ length: population }, (_, slot) => row.row * population + slot)
    .map((cell) => ({ member: index[cell] ?? -1, value: fitness[cell] ?? Number.NaN }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_MEMBERS);
  return (
    <>
      <p>
        Generation {formatCount(generation[row.row] ?? 0)}
        {axis !== "generation" && ` · ${format(row.x)}`}
        {axis === "steps" && " steps"}
      </p>
      <dl>
        {!crowded &&
          members.map(({ member, value }) => (
            <div key={member}>
              <dt>
                <LineageSwatch colour={all.colours.of(member)} /> #{member}
              </dt>
              <dd>{formatScore(value)}</dd>
            </div>
          ))}
        <Value name="Median" text={formatScore(row.raw?.median ?? row.median)} />
        {crowded && (
          <>
            <Value name="Elite's lineage" text={formatScore(row.raw?.elite ?? row.elite)} />
            <Value name="Middle half" text={range(row.middle)} />
            <Value name="All" text={range(row.range)} />
          </>
        )}
        <Value name="Best so far" text={formatScore(row.best)} />
      </dl>
    </>
  );
}
