import type { Histogram } from "../../datasets/view.ts";
import { formatCount, formatHyperparameter } from "../lib/format.ts";
import { Panel } from "./Panel.tsx";
import "./DistributionPanel.css";

interface Props {
  readonly title: string;
  /** Name of the counted items, such as "episodes". */
  readonly things: string;
  readonly histogram: Histogram | null;
}

const WIDTH = 320;
const HEIGHT = 96;

/** A histogram with bins of equal width. */
export function DistributionPanel({ title, things, histogram }: Props) {
  return (
    <Panel title={title}>
      {histogram === null ? (
        <p className="empty">No data.</p>
      ) : (
        <Bars histogram={histogram} things={things} title={title} />
      )}
    </Panel>
  );
}

/** The bars of a histogram, with their description for screen readers. */
export function Bars({ title, things, histogram }: Props & { readonly histogram: Histogram }) {
  const { min, max, whole, counts } = histogram;
  const most = Math.max(1, ...counts);
  const part = WIDTH / counts.length;
  const edge = (at: number, less = 0): string =>
    formatHyperparameter(min + (at / counts.length) * (max - min) - less);
  /** The values of some bins. */
  const range = (from: number, to: number): string => {
    const [least, most] = [edge(from), edge(to, whole ? 1 : 0)];
    return least === most ? least : `${least} to ${most}`;
  };
  const highest = counts.indexOf(most);
  const told = `${title} from ${range(0, counts.length)}; the largest bin, ${range(highest, highest + 1)}, has ${formatCount(most)} ${things}`;
  return (
    <figure>
      <figcaption className="visually-hidden">{told}</figcaption>
      <svg
        className="distribution__bars wide block"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {counts.map((count, at) => {
          const tall = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT);
          return (
            // Bins are identified only by their position.
            <rect
              key={at}
              x={at * part + 0.5}
              y={HEIGHT - tall}
              width={Math.max(0.5, part - 1)}
              height={tall}
            >
              <title>
                {range(at, at + 1)}: {formatCount(count)} {things}
              </title>
            </rect>
          );
        })}
      </svg>
      <p className="quiet distribution__edges" aria-hidden="true">
        <span>{edge(0)}</span>
        <span>{edge(counts.length, whole ? 1 : 0)}</span>
      </p>
    </figure>
  );
}
