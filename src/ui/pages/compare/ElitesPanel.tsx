import { useEffect, useMemo, useState } from "react";
import { playsEpisodes } from "../../../specs/sections.ts";
import type { AgentFile } from "../../../workers/protocol.ts";
import { Button } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { messageOf } from "../../lib/format.ts";
import { PlayerStage, type StagePlayer } from "../../stage/PlayerStage.tsx";
import { useWorkbench } from "../../state/Workbench.ts";
import { environmentWords } from "./comparison.ts";
import type { ComparedRun } from "./OpenRuns.ts";

/** The elite of a run, or why it could not be read. */
type Elite = { readonly file: AgentFile } | { readonly problem: string };

/**
 * The current elites, by run id; runs whose elite is still loading are missing.
 * @param round a new number reads the elites again
 */
function useElites(ids: readonly string[], round: number): ReadonlyMap<string, Elite> {
  const { coordinator } = useWorkbench();
  const [elites, setElites] = useState<ReadonlyMap<string, Elite>>(new Map());
  const wanted = ids.join(",");
  useEffect(() => {
    let shown = true;
    const read = async (id: string): Promise<void> => {
      let elite: Elite;
      try {
        elite = { file: await coordinator.agent(id, { kind: "elite" }) };
      } catch (error) {
        elite = { problem: messageOf(error) };
      }
      if (shown) setElites((before) => new Map(before).set(id, elite));
    };
    for (const id of wanted.split(",")) if (id !== "") void read(id);
    return () => {
      shown = false;
    };
  }, [coordinator, wanted, round]);
  return elites;
}

/**
 * The runs' elites playing on one stage; those of the same environment are side by side and start from the
 * same state.
 */
export function ElitesPanel({ runs }: { readonly runs: readonly ComparedRun[] }) {
  const [round, setRound] = useState(0);
  const players = runs.filter(
    ({ view: { summary, manifest } }) => (summary?.generation ?? 0) > 0 && playsEpisodes(manifest),
  );
  const ids = players.map(({ id }) => id);
  const elites = useElites(ids, round);
  const cast = ids.map((id) => elites.get(id));
  const known = players.map(({ id, name }) => `${id} ${name}`).join();
  // oxlint-disable-next-line react/exhaustive-deps -- `known` stands for the players, whose numbers change often
  const members = useMemo(() => byEnvironment(players, elites), [known, elites]);
  return (
    <Panel
      title="Elites"
      head={
        <Button small onClick={() => setRound(round + 1)}>
          Load the latest
        </Button>
      }
    >
      {players.length === 0 && (
        <p className="empty">
          Elites play here after the first generation. Language models and bandits have no episodes to show.
        </p>
      )}
      {cast.map(
        (elite, at) =>
          elite !== undefined &&
          "problem" in elite && (
            <p key={ids[at]} className="panel__text bad" role="alert">
              {players[at]?.name}: {elite.problem}
            </p>
          ),
      )}
      {members.length > 0 && (
        <div className="compare__elites">
          <PlayerStage players={members} />
        </div>
      )}
    </Panel>
  );
}

/** The loaded elites, grouped by environment. */
function byEnvironment(
  runs: readonly ComparedRun[],
  elites: ReadonlyMap<string, Elite>,
): readonly StagePlayer[] {
  const groups = new Map<string, StagePlayer[]>();
  for (const { id, name, colour } of runs) {
    const elite = elites.get(id);
    if (elite === undefined || "problem" in elite) continue;
    const { file } = elite;
    const environment = environmentWords(file.environment, file.env_config);
    const members = groups.get(environment) ?? [];
    groups.set(environment, members);
    const label = `${name}, generation ${file.generation}`;
    members.push({ key: `${id} ${file.generation}`, label, file, colour });
  }
  return [...groups.values()].flat();
}
