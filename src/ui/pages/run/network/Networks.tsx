import { useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { playsEpisodes } from "../../../../specs/sections.ts";
import type { KeptAgent } from "../../../../workers/protocol.ts";
import { Button, LinkButton } from "../../../components/Button.tsx";
import { SearchField } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { formatCount, formatThings } from "../../../lib/format.ts";
import { numberNames } from "../../../lib/numberNames.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { formatRoute } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import type { agentFacts } from "../descent/agentFacts.ts";
import { useKeptAgent } from "../history/stored.ts";
import type { ShownHistory } from "../history/WithHistory.tsx";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { ActivationHistograms } from "./ActivationHistograms.tsx";
import { saveDrawing, savePicture } from "./exportDrawing.ts";
import { LiveNetwork } from "./LiveNetwork.tsx";
import { NetworkTable } from "./NetworkTable.tsx";
import { type LayerPair, pairNetworks } from "./networkDiff.ts";
import { useNetworks } from "./useNetworks.ts";
import { useWeights } from "./useWeights.ts";
import { WeightsSection } from "./WeightsSection.tsx";

export const NETWORK_TITLE = "Network";
const VIEWS = { chart: "Drawing", table: "Table" } as const;

interface NetworksProps {
  readonly session: RunView;
  readonly shown: ShownHistory;
  readonly graph: Parameters<typeof useNetworks>[2];
  readonly facts: NonNullable<ReturnType<typeof agentFacts>>;
  readonly isElite: boolean;
}

/** The networks of one agent: as a graph or a table, its weights, and its outputs at play. */
export function Networks({ session, shown: { columns }, graph, facts, isElite }: NetworksProps) {
  const workbench = useWorkbench();
  const plays = useStore(session.view, ({ manifest }) => playsEpisodes(manifest));
  const environment = useStore(session.view, ({ summary }) => summary?.environment ?? "");
  const route = useRunRoute();
  const svg = useRef<SVGSVGElement>(null);
  const [search, setSearch] = useState("");
  const found = useNetworks(session, columns, graph, facts.cell, facts.born);
  const networks = useMemo(() => (found === null ? [] : pairNetworks(found.now, found.before)), [found]);
  const keeping = useKeptAgent(
    route.id,
    facts.index,
    useCalmly(columns.generations, 3000),
    isElite ? route.generation : null,
  );
  /** What is stored, which stays while the next agent is looked up. */
  const [kept, setKept] = useState<KeptAgent | null>(null);
  const known = keeping.state === "kept" ? keeping.agent : keeping.state === "asking" ? kept : null;
  if (known !== kept) setKept(known);
  const weights = useWeights(route.id, known);
  const sought = search.trim().toLowerCase();
  const matches = (pair: LayerPair, network: string): boolean =>
    sought === "" ||
    [
      network,
      pair.now?.kind,
      pair.before?.kind,
      pair.now?.activation,
      pair.before?.activation,
      pair.now?.width,
    ].some((text) => text !== undefined && text !== null && String(text).toLowerCase().includes(sought));
  const count = networks.flatMap(({ name, layers }) => layers.filter((pair) => matches(pair, name))).length;
  const name = `agent-${facts.index}-network`;
  const save = (how: (name: string, drawing: SVGSVGElement) => void | Promise<void>): void => {
    void workbench.attempt(async () => {
      if (svg.current !== null) await how(name, svg.current);
    });
  };
  const summary = `Networks of agent ${facts.index}${facts.parent === null ? "" : ` compared with agent ${facts.parent}`}`;
  return (
    <Panel
      title={NETWORK_TITLE}
      head={
        <>
          <GenerationNote />
          <SearchField label="Find a layer" width="12rem" value={search} onChange={setSearch} />
          {route.view === "chart" && (
            <>
              <Button small onClick={() => save(saveDrawing)}>
                Save SVG
              </Button>
              <Button small onClick={() => save(savePicture)}>
                Save PNG
              </Button>
            </>
          )}
          <ViewSwitch options={VIEWS} />
        </>
      }
    >
      <p className="panel__text">
        Agent #{facts.index}, {isElite ? "elite" : "member"} of generation {formatCount(facts.last)}
        {facts.parent !== null && (
          <>
            , compared with its parent{" "}
            <a href={formatRoute({ ...route, member: facts.parent })}>#{facts.parent}</a>
          </>
        )}
        .{" "}
        {!isElite && (
          <Button small onClick={() => replaceRoute({ ...route, member: null })}>
            Follow the elite
          </Button>
        )}{" "}
        <span aria-live="polite">{sought !== "" && `${formatThings(count, "layer")} found.`}</span>
        {found?.rough === true && found.problem === null && (
          <> This log was written by an older version and contains only layer widths.</>
        )}
      </p>
      {found === null && <SkeletonView label="Loading the network…" />}
      {found !== null && found.problem !== null && (
        <FailedView
          title="Network structure unknown"
          action={
            <LinkButton to={{ ...route, member: null, generation: null }}>Show the latest elite</LinkButton>
          }
        >
          {found.problem}
        </FailedView>
      )}
      {networks.length > 0 && route.view === "table" && (
        <NetworkTable networks={networks} matches={matches} />
      )}
      {networks.length > 0 && route.view === "chart" && (
        <LiveNetwork
          run={route.id}
          // Weights of another agent would be drawn as if they were this one's.
          agent={known?.index === facts.index ? known : null}
          networks={networks}
          names={numberNames(environment)}
          weights={known?.index === facts.index ? weights.value : undefined}
          plays={plays}
          summary={summary}
          matches={matches}
          svg={svg}
        />
      )}
      <WeightsSection session={session} keeping={keeping} weights={weights} facts={facts} />
      {plays && (
        <ActivationHistograms
          key={`${route.member ?? "elite"} ${route.generation ?? "newest"}`}
          run={route.id}
          agent={keeping.state === "kept" ? keeping.agent : null}
        />
      )}
    </Panel>
  );
}
