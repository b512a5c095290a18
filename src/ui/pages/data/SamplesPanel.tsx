import { useId } from "react";
import type { SampleId } from "../../../workers/pages.ts";
import { Button } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";

const SAMPLES: Readonly<Record<SampleId, { readonly title: string; readonly words: string }>> = {
  cartpole: {
    title: "A rule's CartPole",
    words: "10,000 steps of a clumsy rule. Agents learn from them offline, without acting themselves.",
  },
  rings: {
    title: "Three rings",
    words: "240 points and their rings. Bandits guess the ring of a point, and learn from rewards.",
  },
  chats: {
    title: "Short chats",
    words: "512 questions with their answers. A language model learns to say where things are.",
  },
};

interface Props {
  readonly busy: boolean;
  readonly onMake: (id: SampleId) => void;
}

/** Small data sets that are made here with one press. */
export function SamplesPanel({ busy, onMake }: Props) {
  const prefix = useId();
  return (
    <Panel title="Samples">
      <p className="panel__text">Made in this browser from a fixed seed. Nothing is downloaded.</p>
      <ul className="data__samples panel__body">
        {(Object.keys(SAMPLES) as SampleId[]).map((id) => (
          <li key={id} className="stack">
            <div>
              <h3 id={`${prefix}-${id}`}>{SAMPLES[id].title}</h3>
              <p className="quiet">{SAMPLES[id].words}</p>
            </div>
            <Button
              small
              aria-describedby={`${prefix}-${id}`}
              aria-disabled={busy}
              onClick={() => !busy && onMake(id)}
            >
              Make and open
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
