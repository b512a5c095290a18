import { useCallback, useMemo, useState } from "react";
import { useStore } from "zustand";
import { userEnvironmentName } from "../../../../specs/sections.ts";
import { SearchField, Segments } from "../../../components/controls.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { Table } from "../../../components/Table.tsx";
import { messageOf, NONE } from "../../../lib/format.ts";
import { SourceEditor } from "../../../ownEnvironment/SourceEditor.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { useAttempt } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { type ConfigRow, type Origin, type ResolvedConfig, resolvedConfig } from "./resolvedConfig.ts";

/** The code of a run's user-written environment, as it was when the run started. */
function RunCode({ run }: { readonly run: string }) {
  const { coordinator } = useWorkbench();
  const read = useCallback(() => coordinator.runEnvironment(run), [coordinator, run]);
  const code = useAttempt(read);
  if (code === null) return null;
  return (
    <Panel
      title={code.id}
      label="Environment code"
      className="config__code"
      head={
        <span className="quiet">
          SHA-256 <code>{code.sha256.slice(0, 12)}</code>
        </span>
      }
    >
      <SourceEditor label="Environment code of the run" source={code.source} />
    </Panel>
  );
}

const VIEWS = {
  all: "All values",
  given: "Set in the manifest",
  template: "Different from the template",
} as const;
type View = keyof typeof VIEWS;

const ORIGINS: Readonly<Record<Origin, string>> = {
  given: "manifest",
  default: "default",
  hpo: "added by hpo",
};

type Reading =
  | { readonly config: ResolvedConfig; readonly problem: null }
  | { readonly config: null; readonly problem: string };

function reading(manifest: unknown): Reading {
  try {
    return { config: resolvedConfig(manifest), problem: null };
  } catch (error) {
    return { config: null, problem: messageOf(error) };
  }
}

/** Rows of a view whose path or value contains the search text. */
export function shownRows(rows: readonly ConfigRow[], view: View, words: string): readonly ConfigRow[] {
  const wanted = words.trim().toLowerCase();
  const isShown = ({ origin, value, template }: ConfigRow): boolean =>
    view === "all" ? value !== null : view === "given" ? origin === "given" : value !== template;
  return rows
    .filter(isShown)
    .filter(({ path, value }) => `${path} ${value ?? ""}`.toLowerCase().includes(wanted));
}

/** The run's resolved configuration, with defaults and values added by hpo, beside that of its template. */
export function ConfigTab({ session }: { readonly session: RunView }) {
  const manifest = useStore(session.view, (view) => view.manifest);
  const options = useStore(session.view, (view) => view.options);
  const [view, setView] = useState<View>("all");
  const [words, setWords] = useState("");
  const { config, problem } = useMemo(() => reading(manifest), [manifest]);
  const rows = config === null ? [] : shownRows(config.rows, view, words);
  const differs = ({ value, template }: ConfigRow): boolean => config?.template != null && value !== template;
  const run = useStore(session.view, ({ summary }) => summary?.id ?? null);
  const isOwn = useStore(session.view, ({ summary }) => userEnvironmentName(summary?.environment) !== null);
  return (
    <>
      <Panel
        title="Configuration"
        head={
          <>
            <SearchField
              label="Filter the configuration"
              placeholder="Filter"
              width="min(16rem, 100%)"
              value={words}
              onChange={setWords}
            />
            <Segments label="Values" options={VIEWS} value={view} onChange={setView} />
          </>
        }
      >
        {problem !== null && (
          <p className="empty" role="alert">
            {problem}
          </p>
        )}
        {options !== null && (
          <p className="panel__text">
            Seed {options.seed}, device {options.device}.{" "}
            {config?.template ? `Template: ${config.template.title}.` : "No matching template."}
          </p>
        )}
        {config !== null && rows.length === 0 && <p className="empty">No matching values.</p>}
        {rows.length > 0 && (
          <Table
            label="Values"
            className="config"
            columns={[
              { head: "Key", cell: ({ path }) => <code>{path}</code> },
              { head: "Value", cell: ({ value }) => value ?? NONE },
              {
                head: "Source",
                classOf: ({ origin }) => (origin === "hpo" ? "config__added" : "dim"),
                cell: ({ value, origin }) => (value === null ? NONE : ORIGINS[origin]),
              },
              {
                head: "Template",
                cell: (row) => (
                  <>
                    {row.template ?? NONE}
                    {differs(row) && <span className="visually-hidden"> (differs)</span>}
                  </>
                ),
              },
            ]}
            rows={rows}
            keyOf={({ path }) => path}
            rowClass={(row) => (differs(row) ? "config__differs" : undefined)}
          />
        )}
      </Panel>
      {isOwn && run !== null && <RunCode run={run} />}
    </>
  );
}
