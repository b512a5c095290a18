import { useMemo } from "react";
import { useStore } from "zustand";
import { trainsOnText } from "../../../../specs/sections.ts";
import { LinkButton } from "../../../components/Button.tsx";
import { EmptyView } from "../../../components/ViewState.tsx";
import type { RunView } from "../../../state/RunView.ts";
import { useDescendants } from "../charts/descentModel.ts";
import { agentFacts } from "../descent/agentFacts.ts";
import { type ShownHistory, WithHistory } from "../history/WithHistory.tsx";
import { HOLDS } from "../runTexts.ts";
import { useRunRoute } from "../shownGeneration.tsx";
import { NETWORK_TITLE, Networks } from "./Networks.tsx";
import "./NetworkTab.css";

/** An agent's networks, and how mutation changed them from the parent's. */
export function NetworkTab({ session }: { readonly session: RunView }) {
  const manifest = useStore(session.view, (view) => view.manifest);
  const route = useRunRoute();
  if (trainsOnText(manifest)) {
    return (
      <section className="panel" aria-label={NETWORK_TITLE}>
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
    <WithHistory session={session} title={NETWORK_TITLE} holds={HOLDS.network}>
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
