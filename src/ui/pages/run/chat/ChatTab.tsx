import { useCallback, useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { Panel } from "../../../components/Panel.tsx";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { Chat, type ChatChoices } from "../../../languageModels/Chat.tsx";
import { modelChoices, samplingOf } from "../../../languageModels/modelChoices.ts";
import { readKeptModels, useKeptModels } from "../../../state/kept.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { agentChoices } from "../agents/agentChoices.tsx";
import { useRunRoute } from "../shownGeneration.tsx";

const BASE = "base";

/** A conversation with members of a run, its checkpoints, its base model, or other models. */
export function ChatTab({ session }: { readonly session: RunView }) {
  const { id } = useRunRoute();
  const { coordinator } = useWorkbench();
  const manifest = useStore(session.view, (view) => view.manifest);
  const saved = useStore(session.view, ({ summary }) => summary?.last_checkpoint?.generation);
  const models = useKeptModels((state) => state.models);
  useEffect(() => {
    // Without the list, the run's own models can still be chosen.
    readKeptModels(coordinator).catch(() => undefined);
  }, [coordinator]);
  const ask = useCallback(() => coordinator.agents(id), [coordinator, id]);
  // Read again whenever a checkpoint is written.
  const { value: kept, problem, again } = useAnswer(ask, saved);
  const groups = useMemo((): readonly ChatChoices[] => {
    const agents = agentChoices(kept ?? []).map(({ title, choices }) => ({
      title,
      choices: choices.map(({ key, label, ref }) => ({
        key,
        label,
        open: async () => {
          // A member that trains is as it is when the conversation begins.
          const { bytes, generation } = await coordinator.agent(id, ref);
          return { key: `${id} ${key} ${generation}`, manifest, member: bytes };
        },
      })),
    }));
    const base = {
      key: BASE,
      label: "Base model, untrained",
      open: async () => ({ key: `${id} ${BASE}`, manifest, member: null }),
    };
    const others = modelChoices((models ?? []).map(({ path }) => path));
    return [...agents, { title: "Before training", choices: [base] }, others];
  }, [kept, models, coordinator, id, manifest]);
  if (problem !== null && kept === undefined)
    return (
      <Panel title="Model">
        <FailedView title="The agents of this run could not be listed" onRetry={again}>
          {problem}
        </FailedView>
      </Panel>
    );
  if (kept === undefined)
    return (
      <Panel title="Model">
        <SkeletonView label="Loading agents…" />
      </Panel>
    );
  const first = groups[0]?.choices[0]?.key ?? BASE;
  return <Chat key={id} groups={groups} first={first} second={BASE} settings={samplingOf(manifest)} />;
}
