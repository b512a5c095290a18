import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import { isMapping } from "../../../../specs/messages.ts";
import { Panel } from "../../../components/Panel.tsx";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { GamePanel } from "../../../games/GamePanel.tsx";
import { agentRival, type RivalGroup, ruleRivals } from "../../../games/rivals.ts";
import { rulesOf } from "../../../games/rulesOf.ts";
import { manifestValue } from "../../../lib/manifestValues.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { agentChoices } from "../agents/agentChoices.tsx";
import { useRunRoute } from "../shownGeneration.tsx";

const TITLE = "Play it";

/** The user plays the run's game against one of its agents, or against a rule. */
export function PlayTab({ session }: { readonly session: RunView }) {
  const { id } = useRunRoute();
  const { coordinator } = useWorkbench();
  const manifest = useStore(session.view, (view) => view.manifest);
  const generation = useStore(session.view, ({ summary }) => summary?.generation);
  const ask = useCallback(() => coordinator.agents(id), [coordinator, id]);
  // Read again whenever a generation ends.
  const { value: kept, problem, again } = useAnswer(ask, generation);
  const name = String(manifestValue(manifest, "environment.name"));
  const config = manifestValue(manifest, "environment.env_config");
  const rules = useMemo(() => rulesOf(name, isMapping(config) ? config : {}), [name, config]);
  const rivals = useMemo((): readonly RivalGroup[] => {
    const agents = agentChoices(kept ?? [], "rating").map(({ title, choices }) => ({
      title,
      choices: choices.map(({ key, label, ref }) =>
        agentRival({ key, label }, () => coordinator.agent(id, ref)),
      ),
    }));
    return rules ? [...agents, ruleRivals(rules)] : [];
  }, [kept, rules, coordinator, id]);
  if (rules === null) return null;
  if (kept === undefined)
    return (
      <Panel title={TITLE}>
        {problem === null ? (
          <SkeletonView label="Loading agents…" />
        ) : (
          <FailedView title="The agents of this run could not be listed" onRetry={again}>
            {problem}
          </FailedView>
        )}
      </Panel>
    );
  return <GamePanel key={id} title={TITLE} rules={rules} rivals={rivals} />;
}
