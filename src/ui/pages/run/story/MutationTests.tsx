import { useState } from "react";
import { useStore } from "zustand";
import { explanationText, type MutationExplanation } from "../../../../tracking/history.ts";
import { Button } from "../../../components/Button.tsx";
import { MutationMark } from "../../../components/marks.tsx";
import { Plot } from "../../../components/plot/Plot.tsx";
import { headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatChange, formatCount, messageOf } from "../../../lib/format.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { mutationWords } from "../descent/agentFacts.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import type { Step } from "./championStory.ts";
import { TEST_LEGEND, testModel } from "./testModel.ts";

/** Mutations that are listed, the newest ones. */
const MOST_STEPS = 8;

const keyOf = ({ generation, slot }: Pick<Step, "generation" | "slot">): string => `${generation}/${slot}`;

/** What came of a test. */
type Outcome = { readonly found: MutationExplanation } | { readonly problem: string };

interface Props {
  readonly session: RunView;
  /** The mutations of a line, oldest first. */
  readonly steps: readonly Step[];
}

/** The mutations of the champion's line, each with a button that tests what it did. */
export function MutationTests({ session, steps }: Props) {
  const { id } = useRunRoute();
  const { coordinator } = useWorkbench();
  const explaining = useStore(session.view, (view) => view.explaining);
  const isLocal = useStore(session.view, ({ summary }) => summary?.can.fork ?? false);
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  if (!isLocal) return null;
  const test = async ({ generation, slot }: Step): Promise<void> => {
    const key = keyOf({ generation, slot });
    const tell = (outcome: Outcome): void => setOutcomes((known) => ({ ...known, [key]: outcome }));
    try {
      tell({ found: await coordinator.explain(id, { generation, slot }) });
    } catch (error) {
      tell({ problem: messageOf(error) });
    }
  };
  return (
    <ul className="quiet story__tests">
      {steps.slice(-MOST_STEPS).map((step) => {
        const key = keyOf(step);
        const runs = explaining !== null && keyOf(explaining.mutation) === key;
        const outcome = outcomes[key];
        return (
          <li key={key}>
            <div className="row">
              <span>
                <MutationMark kind={step.kind} /> generation {formatCount(step.generation)}:{" "}
                {mutationWords(step, null)}
              </span>
              {runs ? (
                <Button small onClick={() => void coordinator.endExplanation(id)}>
                  Cancel
                </Button>
              ) : (
                <Button small disabled={explaining !== null} onClick={() => void test(step)}>
                  Was it that?
                </Button>
              )}
            </div>
            {runs && (
              <>
                <progress value={explaining.share} aria-label="Share of the test that is done" />
                {explaining.message !== null && <p className="small dim">{explaining.message}</p>}
              </>
            )}
            {!runs && outcome !== undefined && <Result outcome={outcome} />}
          </li>
        );
      })}
    </ul>
  );
}

function Result({ outcome }: { readonly outcome: Outcome }) {
  const word = useFitnessWord();
  if ("problem" in outcome) return <p className="small dim">{outcome.problem}</p>;
  const { found } = outcome;
  const title = `${headOf(word)} with and without the mutation of generation ${formatCount(found.generation)}`;
  return (
    <>
      <Plot
        title={title}
        summary={`Mean ${word} on new seeds with the mutation and without it, with intervals of 95 %. The text below says the difference.`}
        model={testModel(found)}
        legend={TEST_LEGEND}
        height={160}
      />
      <p>{explanationText(found, formatChange)}.</p>
    </>
  );
}
