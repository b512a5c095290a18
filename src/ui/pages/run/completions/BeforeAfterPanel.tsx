import { Panel } from "../../../components/Panel.tsx";
import { formatChange, formatCount, formatScore } from "../../../lib/format.ts";
import { formatRoute } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { GenerationNote, useRunRoute } from "../shownGeneration.tsx";
import { type BeforeAfter, beforeAndAfter, type TypicalCompletion } from "./beforeAfter.ts";
import type { PromptHistory } from "./promptHistory.ts";
import { usePromptHistories } from "./usePromptHistories.ts";
import { WrittenText } from "./WrittenText.tsx";
import "./BeforeAfterPanel.css";

/** Number of prompts; *Completions* has all. */
const MOST_PROMPTS = 5;

const [WIDTH, HEIGHT, RADIUS] = [160, 40, 2.5];

/** The rewards of a prompt's completions over the stored iterations, a dot for each that differs. */
function RewardDots({ steps }: PromptHistory) {
  const all = steps.flatMap(({ completions }) => completions.map(({ reward }) => reward));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const [first, last] = [steps[0]?.step ?? 0, steps.at(-1)?.step ?? 0];
  const x = (step: number): number =>
    RADIUS + ((WIDTH - 2 * RADIUS) * (step - first)) / Math.max(1, last - first);
  const y = (reward: number): number =>
    high === low ? HEIGHT / 2 : HEIGHT - RADIUS - ((HEIGHT - 2 * RADIUS) * (reward - low)) / (high - low);
  return (
    <svg className="before-after__dots wide block" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={steps.map(({ step, reward }) => `${x(step)},${y(reward)}`).join(" ")} />
      {steps.flatMap(({ step, completions }) =>
        [...new Set(completions.map(({ reward }) => reward))].map((reward) => (
          <circle key={`${step} ${reward}`} cx={x(step)} cy={y(reward)} r={RADIUS} />
        )),
      )}
    </svg>
  );
}

interface WrittenProps {
  readonly title: string;
  readonly typical: TypicalCompletion;
}

/** What was written in one iteration, with its reward. */
function Written({ title, typical: { step, completion, reward, count, of } }: WrittenProps) {
  return (
    <div className="before-after__side">
      <p className="quiet">
        {title}, iteration {formatCount(step)}
      </p>
      <p className="before-after__text cropped">
        <WrittenText text={completion} />
      </p>
      <p className="quiet">
        reward {formatScore(reward)}
        {of > 1 && ` · ${formatCount(count)} of ${formatCount(of)} completions`}
      </p>
    </div>
  );
}

function Prompt({ history, before, after, change }: BeforeAfter) {
  return (
    <li>
      <h3 className="before-after__prompt cropped">
        <span className="visually-hidden">Prompt: </span>
        {history.prompt === "" ? <span className="dim">(empty)</span> : <code>{history.prompt}</code>}
      </h3>
      <Written title="Before" typical={before} />
      <div className="before-after__course">
        <RewardDots {...history} />
        <p className="quiet">mean reward {formatChange(change)}</p>
      </div>
      <Written title="After" typical={after} />
    </li>
  );
}

/**
 * What members wrote for the same prompts at first and of late; nothing while no prompt was answered twice, as for
 * models that compare given answers.
 */
export function BeforeAfterPanel({ session }: { readonly session: RunView }) {
  const route = useRunRoute();
  const shown = beforeAndAfter(usePromptHistories(session), MOST_PROMPTS);
  if (shown.length === 0) return null;
  return (
    <Panel
      title="Before and after"
      head={
        <>
          <GenerationNote upTo />
          <a href={formatRoute({ ...route, tab: "completions" })}>All prompts</a>
        </>
      }
    >
      <ul className="before-after verbatim">
        {shown.map((prompt) => (
          <Prompt key={prompt.history.prompt} {...prompt} />
        ))}
      </ul>
      <p className="panel__text panel__text--small">
        The prompts that were answered earliest, and again of late; rewards did not choose them. Of each
        iteration the most frequent completion is shown. Between them: the rewards of all stored iterations.
      </p>
    </Panel>
  );
}
