import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import { isMapping } from "../../../../specs/messages.ts";
import type { KeptAgent } from "../../../../workers/protocol.ts";
import { Panel } from "../../../components/Panel.tsx";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { CodedGamePanel, type OpenGame } from "../../../games/CodedGamePanel.tsx";
import { GamePanel } from "../../../games/GamePanel.tsx";
import { agentRival, type RivalGroup, ruleRivals } from "../../../games/rivals.ts";
import { rulesOf } from "../../../games/rulesOf.ts";
import { manifestValue } from "../../../lib/manifestValues.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { openInPage } from "../../environments/openInPage.ts";
import { agentChoices } from "../agents/agentChoices.tsx";
import { LeaguePanel } from "../lazyParts.tsx";
import { useRunRoute } from "../shownGeneration.tsx";

const TITLE = "Play it";

const rivalsOf = (kept: readonly KeptAgent[]) => agentChoices(kept, "rating");

/** @throws Error for a run whose code is not available. */
const openGame: OpenGame = ({ environment, env_config, module }, signal) => {
  if (!module) throw new Error(`The code of ${environment} is not available here.`);
  const { module: own, entrypoint } = module;
  return openInPage({ name: environment, text: own.source }, signal, {
    entrypoint,
    options: env_config ?? {},
  });
};

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
    const agents = rivalsOf(kept ?? []).map(({ title, choices }) => ({
      title,
      choices: choices.map(({ key, label, ref }) =>
        agentRival({ key, label }, () => coordinator.agent(id, ref)),
      ),
    }));
    return rules ? [...agents, ruleRivals(rules)] : [];
  }, [kept, rules, coordinator, id]);
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
  const league = <LeaguePanel session={session} />;
  if (rules === null) {
    const agents = rivalsOf(kept).flatMap(({ choices }) =>
      choices.map(({ key, label, ref }) => ({ key, label, read: () => coordinator.agent(id, ref) })),
    );
    return agents.length === 0 ? null : (
      <div className="columns play__columns">
        <CodedGamePanel key={id} title={TITLE} agents={agents} open={openGame} />
        {league}
      </div>
    );
  }
  return (
    <div className="columns play__columns">
      <GamePanel key={id} title={TITLE} rules={rules} rivals={rivals} />
      {league}
    </div>
  );
}
