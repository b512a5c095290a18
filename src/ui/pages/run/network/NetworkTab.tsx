import { useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { playsEpisodes, trainsOnText } from "../../../../specs/sections.ts";
import { Button, LinkButton } from "../../../components/Button.tsx";
import { SearchField } from "../../../components/controls.tsx";
import { Legend, LegendEntry } from "../../../components/marks.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { ScrollRegion } from "../../../components/Table.tsx";
import { EmptyView, FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { formatCount, formatThings } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { formatRoute } from "../../../routes/route.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { useDescendants } from "../charts/descentModel.ts";
import { agentFacts } from "../descent/agentFacts.ts";
import { useKeptAgent } from "../history/stored.ts";
import { type ShownHistory, WithHistory } from "../history/WithHistory.tsx";
import { HOLDS } from "../runTexts.ts";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { ActivationHistograms } from "./ActivationHistograms.tsx";
import { saveDrawing, savePicture } from "./exportDrawing.ts";
import { WeightHistograms } from "./Histograms.tsx";
import { NetworkDrawing } from "./NetworkDrawing.tsx";
import { NetworkTable } from "./NetworkTable.tsx";
import { type LayerPair, pairNetworks } from "./networkDiff.ts";
import { useNetworks } from "./useNetworks.ts";
import "./NetworkTab.css";

const TITLE = "Network";
const VIEWS = { chart: "Drawing", table: "Table" } as const;

/** An agent's networks, and how mutation changed them from the parent's. */
export function NetworkTab({ session }: { readonly session: RunView }) {
  const manifest = useStore(session.view, (view) => view.manifest);
  const route = useRunRoute();
  if (trainsOnText(manifest)) {
    return (
      <section className="panel" aria-label={TITLE}>
        <EmptyView
          title="All members share one network"
          action={<LinkButton to={{ ...route, tab: "hyperparameters" }}>Show hyperparameters</LinkButton>}
        >
          The members of this run are adapters of one language model: mutation does not change their networks.
        </EmptyView>
      </section>
    );
  }
  return (
    <WithHistory session={session} title={TITLE} holds={HOLDS.network}>
      {(shown) => <Network session={session} shown={shown} />}
    </WithHistory>
  );
}

function Network({ session, shown }: { readonly session: RunView; readonly shown: ShownHistory }) {
  const { columns, row } = shown;
  const route = useRunRoute();
  const { graph, fate } = useDescendants(shown, null);
  const elite = fate.elite.findLast((cell) => cell >= 0) ?? row * columns.population;
  const eliteIndex = columns.index[elite] ?? 0;
  const index = route.member ?? eliteIndex;
  const facts = useMemo(
    () => agentFacts(columns, graph, fate, index) ?? agentFacts(columns, graph, fate, eliteIndex),
    [columns, graph, fate, index, eliteIndex],
  );
  if (facts === null) return null;
  return (
    <Networks
      session={session}
      shown={shown}
      graph={graph}
      facts={facts}
      isElite={facts.index === eliteIndex}
    />
  );
}

interface NetworksProps {
  readonly session: RunView;
  readonly shown: ShownHistory;
  readonly graph: Parameters<typeof useNetworks>[2];
  readonly facts: NonNullable<ReturnType<typeof agentFacts>>;
  readonly isElite: boolean;
}

function Networks({ session, shown: { columns }, graph, facts, isElite }: NetworksProps) {
  const workbench = useWorkbench();
  const plays = useStore(session.view, ({ manifest }) => playsEpisodes(manifest));
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
  const canPin = useStore(session.view, ({ summary }) => summary?.can.edit ?? false);
  const pin = (generation: number, on: boolean): void => {
    void workbench.attempt(async () => {
      await workbench.coordinator.pinElite(route.id, generation, on);
      keeping.again();
    });
  };
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
      title={TITLE}
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
        <>
          <ScrollRegion className="network__scroll" label="Drawing of the networks">
            <p className="visually-hidden">{summary}. The Table view lists all layers.</p>
            <NetworkDrawing networks={networks} matches={matches} svg={svg} />
          </ScrollRegion>
          <Legend small>
            <LegendEntry of="added">added by mutation</LegendEntry>
            <LegendEntry of="removed">removed</LegendEntry>
            <li>Bar height shows layer width.</li>
          </Legend>
        </>
      )}
      <h3 className="network__heading">Weights</h3>
      {keeping.state === "kept" && keeping.pinned !== undefined && (
        <p className="panel__text">
          Of agent #{keeping.agent.index}, elite of generation {formatCount(keeping.agent.generation)}
          {keeping.agent.generation !== route.generation && `, the nearest one that is stored`}.{" "}
          {canPin && (
            <Button
              small
              title="A pinned elite is kept for ever"
              aria-pressed={keeping.pinned}
              onClick={() => pin(keeping.agent.generation, keeping.pinned !== true)}
            >
              Pin
            </Button>
          )}
        </p>
      )}
      {keeping.state === "kept" && (
        <WeightHistograms
          key={`${facts.index} ${keeping.agent.generation}`}
          run={route.id}
          agent={keeping.agent.ref}
        />
      )}
      {keeping.state === "gone" && (
        <p className="panel__text">
          Weights are stored only for the last generation, checkpoints and the elites of generations. This
          agent is none of them.
        </p>
      )}
      {keeping.state === "failed" && <p className="panel__text">{keeping.problem}</p>}
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
