import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { Select } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { ConfigPanel, MetricsPanel } from "../ComparisonTables.tsx";
import { CurvesPanel } from "../CurvesPanel.tsx";
import type { ComparedRun } from "../OpenRuns.ts";
import { PairPanel } from "../PairPanel.tsx";
import { EditPanel } from "./EditPanel.tsx";
import { PanelTools } from "./PanelTools.tsx";
import {
  formatPanels,
  MOST_PANELS,
  moved,
  newPanel,
  PANEL_KINDS,
  type PanelKind,
  type PanelSpec,
  paragraphsOf,
  parsePanels,
  titleOf,
} from "./panels.ts";
import { saveReport } from "./saveReport.ts";
import { usePanelDrag } from "./usePanelDrag.ts";
import "./Workspace.css";

interface ContentProps {
  readonly panel: PanelSpec;
  readonly runs: readonly ComparedRun[];
  readonly onChange: (change: Partial<PanelSpec>) => void;
  readonly head: ReactNode;
}

/** What a panel shows. */
function Content({ panel, runs, onChange, head }: ContentProps) {
  const title = titleOf(panel);
  switch (panel.kind) {
    case "curves":
      return <CurvesPanel title={title} runs={runs} choice={panel} onChoose={onChange} head={head} />;
    case "pair":
      return <PairPanel title={title} runs={runs} choice={panel} onChoose={onChange} head={head} />;
    case "metrics":
      return <MetricsPanel title={title} runs={runs} head={head} />;
    case "config":
      return <ConfigPanel title={title} runs={runs} head={head} />;
    case "text":
      return (
        <Panel title={title} head={head}>
          <div className="panel__text workspace__text grid gap-2">
            {paragraphsOf(panel.text).map((part, at) => (
              <p key={at}>{part}</p>
            ))}
            {panel.text.trim() === "" && <p className="dim">Edit this panel to write its text.</p>}
          </div>
        </Panel>
      );
  }
}

/** Maximum number of runs that have a line each unless the user chooses. */
const MOST_LINES = 8;

interface Props {
  readonly runs: readonly ComparedRun[];
  /** Ids of compared runs that could not be opened, which a report names. */
  readonly lost?: readonly string[];
  /** The parameter of the address with the panels; "" for those of `kinds`. */
  readonly text: string;
  /** What is shown before the user arranges panels. */
  readonly kinds: readonly PanelKind[];
  readonly onChange: (text: string) => void;
  /** Follows the workspace's own buttons. */
  readonly head?: ReactNode;
}

/** Panels about several runs, which the user adds, names, arranges and saves as a report. Their arrangement is in the address. */
export function Workspace({ runs, lost = [], text, kinds, onChange, head }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const [edited, edit] = useState<number | null>(null);
  const standard = kinds.join(" ");
  // There are not enough colours to tell this many lines apart.
  const seeds = runs.length > MOST_LINES;
  const panels = useMemo(() => {
    // The kinds of a place never change; their array may be another one each time.
    return text === ""
      ? standard.split(" ").map((kind) => ({ ...newPanel(kind as PanelKind), wide: true, seeds }))
      : parsePanels(text);
  }, [text, standard, seeds]);
  const show = useCallback((next: readonly PanelSpec[]): void => onChange(formatPanels(next)), [onChange]);
  usePanelDrag(
    grid,
    useCallback((from, to) => show(moved(panels, from, to)), [panels, show]),
  );
  const change = (at: number, part: Partial<PanelSpec>): void =>
    show(panels.map((panel, place) => (place === at ? { ...panel, ...part } : panel)));
  const open = edited === null ? undefined : panels[edited];
  return (
    <section className="workspace grid gap-3" aria-label="Workspace">
      <div className="row workspace__head">
        {panels.length < MOST_PANELS && (
          <Select
            className="auto-width"
            aria-label="Add a panel"
            value=""
            options={[
              ["", "Add a panel…"],
              ...PANEL_KINDS.map((kind) => [kind, titleOf({ kind, name: "" })] as const),
            ]}
            onChange={(kind) => {
              show([...panels, newPanel(kind as PanelKind)]);
              if (kind === "text") edit(panels.length);
            }}
          />
        )}
        <Button
          small
          title="One HTML file with the texts, charts and tables of these panels"
          onClick={() => saveReport(panels, { runs, lost }, grid.current)}
        >
          Save report
        </Button>
        {text !== "" && (
          <Button small quiet onClick={() => onChange("")}>
            Reset panels
          </Button>
        )}
        {head}
      </div>
      {panels.length === 0 && (
        <p className="dim">This workspace is empty. Add a panel, or reset it to the usual ones.</p>
      )}
      <div className="workspace__grid grid gap-4" ref={grid}>
        {panels.map((panel, at) => (
          <div
            key={`${at} ${panel.kind}`}
            data-panel={at}
            className={panel.wide || panels.length === 1 ? "whole-row" : undefined}
          >
            <Content
              panel={panel}
              runs={runs}
              onChange={(part) => change(at, part)}
              head={
                <PanelTools
                  panel={panel}
                  onMove={(by) => show(moved(panels, at, at + by))}
                  onChange={(part) => change(at, part)}
                  onEdit={() => edit(at)}
                  onRemove={() => show(panels.toSpliced(at, 1))}
                />
              }
            />
          </div>
        ))}
      </div>
      {edited !== null && open !== undefined && (
        <EditPanel panel={open} onChange={(part) => change(edited, part)} onClose={() => edit(null)} />
      )}
    </section>
  );
}
