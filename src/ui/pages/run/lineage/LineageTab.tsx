import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { playsEpisodes } from "../../../../specs/sections.ts";
import { MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { Segments } from "../../../components/controls.tsx";
import { Legend, LegendEntry, MUTATION_SHAPES, MutationMark } from "../../../components/marks.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Fitness, headOf, useFitnessWord } from "../../../games/fitnessWord.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { replaceRoute } from "../../../routes/navigation.ts";
import { AXES, FITNESS_STEPS, type FitnessScale, fitnessScale } from "../../../series/scales.ts";
import { useHighlight } from "../../../state/highlight.ts";
import type { RunView } from "../../../state/RunView.ts";
import { agentFacts } from "../descent/agentFacts.ts";
import { deliveredAsOf, LineageGraph, lineageFate } from "../descent/LineageGraph.ts";
import { type ShownHistory, WithHistory } from "../history/WithHistory.tsx";
import { HOLDS } from "../runTexts.ts";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { StoryPanel } from "../story/StoryPanel.tsx";
import { AgentCard } from "./AgentCard.tsx";
import { LineageCanvas } from "./LineageCanvas.tsx";
import { LineageTable } from "./LineageTable.tsx";
import type { LineageView } from "./LineageView.ts";
import { placesOf } from "./treeLayout.ts";
import "./LineageTab.css";

const STEPS = Array.from({ length: FITNESS_STEPS }, (_, step) => step + 1);

/** The legend of the lineage: its marks and colours. */
function LineageLegend({ scale }: { readonly scale: FitnessScale }) {
  return (
    <Legend>
      <li>
        {formatScore(scale.low)}
        <span className="lineage__steps">
          {STEPS.map((step) => (
            <i key={step} style={{ background: `var(--fitness-${step})` }} />
          ))}
        </span>
        {formatScore(scale.high)} <Fitness />
      </li>
      {MUTATION_KINDS.map((kind) => (
        <li key={kind}>
          <MutationMark kind={kind} /> {MUTATION_SHAPES[kind].label}
        </li>
      ))}
      <LegendEntry of="elite">elite and its ancestors</LegendEntry>
      <LegendEntry of="grey">ended lineages</LegendEntry>
      <li>Wide lines have many descendants.</li>
    </Legend>
  );
}

const VIEWS = { chart: "Tree", table: "Table" } as const;
const TITLE = "Lineage";

/** The family tree of all agents of the run, and the fate of each lineage. */
export function LineageTab({ session }: { readonly session: RunView }) {
  return (
    <WithHistory session={session} title={TITLE} holds={HOLDS.lineage}>
      {(shown) => <Lineage session={session} shown={shown} />}
    </WithHistory>
  );
}

function Lineage({ session, shown }: { readonly session: RunView; readonly shown: ShownHistory }) {
  const { columns, history, row, champion } = shown;
  const word = useFitnessWord();
  const route = useRunRoute();
  const plays = useStore(session.view, ({ manifest }) => playsEpisodes(manifest));
  const [view, setView] = useState<LineageView | null>(null);
  const [graph] = useState(() => new LineageGraph());
  const lit = useHighlight((state) => state.member);
  const scene = useMemo(() => {
    graph.catchUp(columns);
    const scale = fitnessScale(columns.fitness);
    return {
      graph,
      places: placesOf(route.tree, route.across, graph, columns, scale),
      columns,
      colours: history.colours,
      scale,
      fate: lineageFate(graph, columns, row, deliveredAsOf(columns, row, champion)),
      cursor: -1,
    };
  }, [graph, columns, history, row, champion, route.tree, route.across]);
  const { member } = route;
  const facts = useMemo(
    () => (member === null ? null : agentFacts(columns, graph, scene.fate, member)),
    [columns, graph, scene, member],
  );
  const drawn = useMemo(() => ({ ...scene, selected: member, lit }), [scene, member, lit]);
  const select = (index: number | null): void => replaceRoute({ ...route, member: index });
  const elite = scene.fate.elite.findLast((cell) => cell >= 0) ?? -1;
  return (
    <Panel
      title={TITLE}
      className="lineage"
      head={
        <>
          <GenerationNote />
          {elite >= 0 && (
            <Button small onClick={() => select(columns.index[elite] ?? null)}>
              Elite
            </Button>
          )}
          {route.view === "chart" && (
            <>
              <Segments
                label="Vertical axis"
                options={{ fitness: headOf(word), lanes: "Lanes" }}
                value={route.tree}
                onChange={(tree) => replaceRoute({ ...route, tree })}
              />
              <Segments
                label="Horizontal axis"
                options={AXES}
                value={route.across}
                onChange={(across) => replaceRoute({ ...route, across })}
              />
            </>
          )}
          {route.view === "chart" && <ZoomButtons view={view} />}
          <ViewSwitch options={VIEWS} />
        </>
      }
    >
      <p className="visually-hidden">
        Family tree of {formatCount(columns.generations)} generations of {formatCount(columns.population)}{" "}
        agents. The elite of generation {formatCount(columns.generation[row] ?? 0)} is agent{" "}
        {columns.index[elite] ?? "unknown"}. The Table view lists all values.
      </p>
      <div className="columns lineage__body">
        <div className="shrinks">
          {route.view === "table" ? (
            <LineageTable scene={drawn} />
          ) : (
            <LineageCanvas
              run={plays ? route.id : null}
              scene={drawn}
              selectedCell={facts?.cell ?? -1}
              onView={setView}
              onSelect={select}
            />
          )}
          {route.view === "chart" && <LineageLegend scale={scene.scale} />}
        </div>
        <div className="lineage__side">
          {facts !== null && (
            <AgentCard
              session={session}
              columns={columns}
              colours={history.colours}
              facts={facts}
              parentCell={graph.before(facts.born)}
              onClose={() => select(null)}
            />
          )}
          <StoryPanel session={session} columns={columns} graph={graph} row={row} />
        </div>
      </div>
    </Panel>
  );
}

function ZoomButtons({ view }: { readonly view: LineageView | null }) {
  return (
    <>
      <div className="lineage__zoom">
        <Button small aria-label="Zoom out" onClick={() => view?.zoom(1 / 1.5)}>
          −
        </Button>
        <Button small aria-label="Zoom in" onClick={() => view?.zoom(1.5)}>
          +
        </Button>
      </div>
      <Button small onClick={() => view?.showWhole()}>
        Fit all
      </Button>
      <Button small onClick={() => view?.showNewest()}>
        Latest
      </Button>
    </>
  );
}
