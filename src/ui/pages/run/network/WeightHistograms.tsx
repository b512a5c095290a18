import { useEffect, useState } from "react";
import type { AgentRef, NetworkWeights, WeightHistogram } from "../../../../workers/protocol.ts";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { formatHyperparameter } from "../../../lib/format.ts";
import { messageOf } from "../../../lib/messageOf.ts";
import { useWorkbench } from "../../../state/WorkbenchContext.ts";

interface Props {
  readonly run: string;
  readonly agent: AgentRef;
}

type Answer = { readonly networks: readonly NetworkWeights[] } | { readonly problem: string };

/** Where an agent's weights lie, a histogram for each tensor. Another agent needs another component (a `key`). */
export function WeightHistograms({ run, agent }: Props) {
  const { coordinator } = useWorkbench();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let wanted = true;
    const ask = async (): Promise<void> => {
      let next: Answer;
      try {
        next = { networks: await coordinator.network(run, agent) };
      } catch (error) {
        next = { problem: messageOf(error) };
      }
      if (wanted) setAnswer(next);
    };
    void ask();
    return () => {
      wanted = false;
    };
  }, [coordinator, run, agent, tries]);
  if (answer === null) return <SkeletonView label="Reading the weights" rows={3} />;
  if ("problem" in answer) {
    return (
      <FailedView
        title="The weights could not be read"
        action={
          <button type="button" className="button" onClick={() => setTries(tries + 1)}>
            Read them again
          </button>
        }
      >
        {answer.problem}
      </FailedView>
    );
  }
  return (
    <ul className="histograms">
      {answer.networks.flatMap(({ name, weights }) =>
        weights.map((tensor) => (
          <li key={`${name} ${tensor.name}`}>
            <p>
              <code>
                {name}.{tensor.name}
              </code>{" "}
              <span>{tensor.shape.join(" × ")}</span>
            </p>
            <Histogram histogram={tensor.histogram} />
          </li>
        )),
      )}
    </ul>
  );
}

const WIDTH = 160;
const HEIGHT = 48;

function Histogram({ histogram: { min, max, counts } }: { readonly histogram: WeightHistogram }) {
  const most = Math.max(1, ...counts);
  const part = WIDTH / Math.max(1, counts.length);
  const middleOf = (at: number): number => min + ((at + 0.5) / counts.length) * (max - min);
  const side = Math.max(Math.abs(min), Math.abs(max));
  /** Share of its side's colour: none at zero. */
  const share = (value: number): number => (side > 0 ? Math.round((100 * Math.abs(value)) / side) : 0);
  return (
    <svg className="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`} aria-hidden="true">
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
