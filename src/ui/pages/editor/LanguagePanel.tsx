import { Button } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { HubModels } from "../../languageModels/HubModels.tsx";
import { ModelCardPanel } from "../../languageModels/ModelCardPanel.tsx";
import { readsRows } from "../../languageModels/modelChoices.ts";
import { useEditor } from "./editorStore.ts";
import type { CardState } from "./useModelCard.ts";

interface Props extends CardState {
  readonly showsData: boolean;
  /** Shows the rows of the data set, or hides them. */
  readonly onData: () => void;
}

/** The model of a manifest that trains language models, before it starts. */
export function LanguagePanel({ card, problem, showsData, onData }: Props) {
  const hasRows = useEditor(({ shown }) => readsRows(shown.values));
  if (card === null)
    return (
      problem !== null && (
        <Panel title="Model">
          <p className="empty" role="alert">
            {problem}
          </p>
        </Panel>
      )
    );
  const data = hasRows && (
    <Button small aria-expanded={showsData} onClick={onData}>
      {showsData ? "Hide the data" : "Show the data"}
    </Button>
  );
  return (
    <>
      <ModelCardPanel card={card} head={data} />
      {card.may_be_on_hub && <HubModels key={card.id} id={card.id ?? ""} />}
    </>
  );
}
