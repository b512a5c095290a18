import { useCallback, useMemo, useState } from "react";
import { isDatasetId } from "../../../../datasets/view.ts";
import type { AgentRef } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Select, TextField } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { saveFile } from "../../../lib/files.ts";
import { navigate } from "../../../routes/navigation.ts";
import { dataRoute } from "../../../routes/route.ts";
import { dataCalls, recordDataset } from "../../../state/keptData.ts";
import { useAttempt } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { AgentOptions, agentChoices, refKey } from "./agentChoices.tsx";

interface Props {
  readonly run: string;
  /** The agent selected at first. */
  readonly agent: AgentRef;
  readonly onClose: () => void;
}

const STEPS = 10_000;
const MOST_STEPS = 1_000_000;
const SEED = 42;

/** Asks for the settings of a recording, records an agent's episodes, and stores them as a data set. */
export function RecordDialog({ run, agent, onClose }: Props) {
  const workbench = useWorkbench();
  const [chosen, setChosen] = useState(refKey(agent));
  const list = useCallback(() => workbench.coordinator.agents(run), [workbench, run]);
  const kept = useAttempt(list);
  const word = useFitnessWord();
  const groups = useMemo(() => agentChoices(kept ?? [], word), [kept, word]);
  const ref = groups.flatMap(({ choices }) => choices).find(({ key }) => key === chosen)?.ref ?? agent;
  const [steps, setSteps] = useState(String(STEPS));
  const [epsilon, setEpsilon] = useState("0");
  const [seed, setSeed] = useState(String(SEED));
  const [name, setName] = useState("rlkit/recorded-v0");
  const [recording, setRecording] = useState(false);
  const numbers = { steps: Number(steps), epsilon: Number(epsilon), seed: Number(seed) };
  const wrong = {
    steps: !(Number.isSafeInteger(numbers.steps) && numbers.steps > 0 && numbers.steps <= MOST_STEPS),
    epsilon: epsilon.trim() === "" || !(numbers.epsilon >= 0 && numbers.epsilon <= 1),
    seed: !(Number.isSafeInteger(numbers.seed) && numbers.seed >= 0),
    name: !isDatasetId(name),
  };
  const fits = !Object.values(wrong).some(Boolean);
  const record = async (save: boolean): Promise<void> => {
    if (!fits || recording) return;
    setRecording(true);
    const worked = await workbench.attempt(async () => {
      const file = await workbench.coordinator.agent(run, ref);
      const { sha256 } = await recordDataset({ agent: file, name, ...numbers });
      if (save) saveFile(await dataCalls.archive(sha256));
      navigate(dataRoute(sha256));
    }, `record ${run}`);
    setRecording(false);
    if (worked) onClose();
  };
  return (
    <FormDialog
      title="Record a data set"
      busy={recording}
      onSubmit={() => void record(false)}
      onClose={onClose}
      actions={
        <>
          <Button aria-disabled={!fits || recording} onClick={() => void record(true)}>
            Record and download
          </Button>
          <Button type="submit" primary aria-disabled={!fits || recording} aria-busy={recording}>
            {recording ? "Recording…" : "Record"}
          </Button>
        </>
      }
    >
      <label>
        Agent
        <Select value={refKey(ref)} onChange={setChosen}>
          {groups.length === 0 && <option value={refKey(agent)}>Loading agents…</option>}
          <AgentOptions groups={groups} />
        </Select>
      </label>
      <Field label="Name" value={name} wrong={wrong.name} onChange={setName} />
      <Field label="Steps" value={steps} wrong={wrong.steps} onChange={setSteps} />
      <Field
        label="Probability of a random action (epsilon), 0 to 1"
        value={epsilon}
        wrong={wrong.epsilon}
        onChange={setEpsilon}
      />
      <Field label="Seed" value={seed} wrong={wrong.seed} onChange={setSeed} />
      <p>The name must end with a version, such as -v0. The last episode is truncated at the last step.</p>
    </FormDialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: boolean;
  readonly onChange: (value: string) => void;
}

function Field({ label, value, wrong, onChange }: FieldProps) {
  return (
    <label>
      {label}
      <TextField aria-invalid={wrong} value={value} onChange={onChange} />
    </label>
  );
}
