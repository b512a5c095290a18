import type { WeightHistogram } from "../../../../workers/protocol.ts";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { formatHyperparameter } from "../../../lib/format.ts";
import type { Answer } from "../../../state/useAnswer.ts";

const WIDTH = 160;
const HEIGHT = 48;

/** A histogram in the colours of weights. */
function Histogram({ histogram: { min, max, counts } }: { readonly histogram: WeightHistogram }) {
  const most = Math.max(1, ...counts);
  const part = WIDTH / Math.max(1, counts.length);
  const middleOf = (at: number): number => min + ((at + 0.5) / counts.length) * (max - min);
  const side = Math.max(Math.abs(min), Math.abs(max));
  /** Percentage of the colour of the value's sign: 0 at zero. */
  const share = (value: number): number => (side > 0 ? Math.round((100 * Math.abs(value)) / side) : 0);
  return (
    <svg className="histogram wide block" viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`} aria-hidden="true">
      {counts.map((count, at) => {
        const value = middleOf(at);
        const tall = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT);
        return (
          <rect
            key={at}
            x={at * part + 0.5}
            y={HEIGHT - tall}
            width={Math.max(0.5, part - 1)}
            height={tall}
            style={{
              fill: `color-mix(in oklab, var(--weight-${value < 0 ? "negative" : "positive"}) ${share(value)}%, var(--weight-zero))`,
            }}
          />
        );
      })}
      <text x="0" y={HEIGHT + 12}>
        {formatHyperparameter(min)}
      </text>
      <text x={WIDTH} y={HEIGHT + 12} textAnchor="end">
        {formatHyperparameter(max)}
      </text>
    </svg>
  );
}

interface NamedHistogram {
  readonly name: string;
  /** The size or shape, shown beside the name. */
  readonly note: string;
  readonly histogram: WeightHistogram;
}

interface Props {
  /** What the histograms show, such as "weights". */
  readonly what: string;
  readonly answer: Pick<Answer<readonly NamedHistogram[]>, "value" | "problem" | "again">;
}

/** A list of histograms that are read. */
export function Histograms({ what, answer: { value: histograms, problem, again } }: Props) {
  if (problem !== null)
    return (
      <FailedView title={`The ${what} could not be read`} onRetry={again}>
        {problem}
      </FailedView>
    );
  if (histograms === undefined) return <SkeletonView label={`Loading ${what}…`} rows={3} />;
  return (
    <ul className="histograms tiny" aria-label={`Histograms of the ${what}`}>
      {histograms.map(({ name, note, histogram }) => (
        <li key={name}>
          <p>
            <code>{name}</code> <span className="dim">{note}</span>
          </p>
          <Histogram histogram={histogram} />
        </li>
      ))}
    </ul>
  );
}
