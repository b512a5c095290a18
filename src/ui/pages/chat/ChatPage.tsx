import { useEffect, useMemo } from "react";
import { PageHead } from "../../components/PageHeading.tsx";
import { SkeletonView } from "../../components/ViewState.tsx";
import { Chat } from "../../languageModels/Chat.tsx";
import { modelChoices, samplingOf } from "../../languageModels/modelChoices.ts";
import type { ChatRoute } from "../../routes/route.ts";
import { readKeptModels, useKeptModels } from "../../state/kept.ts";
import { useWorkbench } from "../../state/Workbench.ts";

/** A conversation with the models that this browser stores, and with built-in ones. */
export function ChatPage({ route }: { readonly route: ChatRoute }) {
  const workbench = useWorkbench();
  const models = useKeptModels((state) => state.models);
  useEffect(() => {
    void workbench.attempt(() => readKeptModels(workbench.coordinator));
  }, [workbench]);
  const groups = useMemo(() => [modelChoices((models ?? []).map(({ path }) => path))], [models]);
  const keys = groups.flatMap(({ choices }) => choices.map(({ key }) => key));
  const first = keys.find((key) => key === `model ${route.model}`) ?? keys[0] ?? "";
  return (
    <div className="page">
      <PageHead
        title="Chat"
        text="Answers are computed in this browser. Training waits while a model answers."
      />
      {models === null ? (
        <SkeletonView label="Loading models…" />
      ) : (
        <Chat
          key={first}
          groups={groups}
          first={first}
          second={keys.find((key) => key !== first) ?? first}
          settings={samplingOf(null)}
        />
      )}
    </div>
  );
}
