import { Fragment, useMemo, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { SearchField } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { LazyPlot } from "../../../components/plot/Plot.tsx";
import { PlotLegend } from "../../../components/plot/PlotLegend.tsx";
import { PlotSmoothing } from "../../../components/plot/PlotSmoothing.tsx";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { useDescendants } from "../charts/descentModel.ts";
import { GenerationTable } from "../charts/GenerationTable.tsx";
import { memberLegend } from "../charts/memberLegend.ts";
import { type ShownHistory, WithHistory } from "../history/WithHistory.tsx";
import { HOLDS } from "../runTexts.ts";
import { GenerationNote, useRunRoute, ViewSwitch } from "../shownGeneration.tsx";
import { metricPlots, type Spreads } from "./metricPlots.ts";

const TITLE = "Metrics";
const VIEWS = { chart: "Charts", table: "Table" } as const;
const GROUPS = ["Evaluation", "Learning", "Time"] as const;

/** All metrics of a run, each in a small chart. */
export function MetricsTab({ session }: { readonly session: RunView }) {
  return (
    <WithHistory session={session} title={TITLE} holds={HOLDS.metrics}>
      {(shown) => <Metrics shown={shown} />}
    </WithHistory>
  );
}

function Metrics({ shown }: { readonly shown: ShownHistory }) {
  const { columns } = shown;
  const route = useRunRoute();
  const all = useDescendants(shown, route.member);
  const [spreads] = useState<Spreads>(() => new Map());
  const [search, setSearch] = useState("");
  const word = useFitnessWord();
  const plots = useMemo(() => metricPlots(all, spreads, word), [all, spreads, word]);
  const wanted = plots.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Panel
      title={TITLE}
      head={
        <>
          <GenerationNote />
          <SearchField label="Find a metric" width="14rem" value={search} onChange={setSearch} />
          <PlotSmoothing />
          <ViewSwitch options={VIEWS} />
        </>
      }
    >
      {wanted.length === 0 && (
        <div className="empty">
          <p>No matching metrics.</p>
          <Button onClick={() => setSearch("")}>Show all {plots.length}</Button>
        </div>
      )}
      {wanted.length > 0 && route.view === "table" && (
        <GenerationTable
          label="Metrics by generation"
          generations={Array.from(columns.generation)}
          columns={wanted.map(({ column }) => column())}
        />
      )}
      {wanted.length > 0 && route.view === "chart" && (
        <>
          <PlotLegend small entries={memberLegend({ columns, selected: all.selected !== null })} />
          <div className="plots cropped">
            {GROUPS.map((group) => {
              const members = wanted.filter((plot) => plot.group === group);
              if (members.length === 0) return null;
              return (
                <Fragment key={group}>
                  <h3 className="plots__heading tiny soft whole-row sunken">{group}</h3>
                  {members.map(({ name, about, model }) => (
                    <LazyPlot
                      key={name}
                      title={name}
                      summary={`${about}, over the generations. The Table view lists the values.`}
                      model={model}
                    />
                  ))}
                </Fragment>
              );
            })}
          </div>
        </>
      )}
    </Panel>
  );
}
