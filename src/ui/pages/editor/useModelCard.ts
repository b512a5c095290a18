import { useEffect, useState } from "react";
import { trainsOnText } from "../../../specs/sections.ts";
import type { ModelCard } from "../../../workers/pages.ts";
import { messageOf } from "../../lib/format.ts";
import { useKeptModels } from "../../state/kept.ts";
import { languageCalls } from "../../state/languageModels.ts";
import { useEditor } from "./editorStore.ts";

/** Milliseconds without a change before the files of a model are read. */
const PAUSE_MS = 500;

/** What is known of the base model of the edited manifest. */
export interface CardState {
  /** Null before it is read, and for manifests that train no language model. */
  readonly card: ModelCard | null;
  /** Why it could not be read; null if it could. */
  readonly problem: string | null;
  /** The text that it is about. */
  readonly text: string;
}

const NO_CARD: CardState = { card: null, problem: null, text: "" };

/** Reads the card of the edited manifest's base model. An invalid text keeps the card of the last valid one. */
export function useModelCard(): CardState {
  const text = useEditor((state) => state.text);
  const isText = useEditor(({ shown }) => trainsOnText(shown.values));
  const valid = useEditor((state) => state.valid);
  const stored = useKeptModels(({ models }) => models);
  const [state, setState] = useState(NO_CARD);
  useEffect(() => {
    if (!valid || !isText) return undefined;
    let latest = true;
    const timer = setTimeout(() => {
      languageCalls.modelCard(text).then(
        (card) => latest && setState({ card, problem: null, text }),
        (error: unknown) => latest && setState({ card: null, problem: messageOf(error), text }),
      );
    }, PAUSE_MS);
    return () => {
      latest = false;
      clearTimeout(timer);
    };
    // `stored`: a model may have been added since.
  }, [text, valid, isText, stored]);
  return isText ? state : NO_CARD;
}
