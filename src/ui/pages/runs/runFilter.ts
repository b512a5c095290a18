import type { RunSummary } from "../../../workers/protocol.ts";
import { shownState } from "../../components/runState.tsx";

/** Properties that `key:word` searches. */
const PROPERTIES: Readonly<Record<string, (run: RunSummary) => readonly string[]>> = {
  name: ({ name }) => [name],
  state: (run) => [shownState(run), ...(run.unsaved === null ? [] : ["not saved"])],
  algorithm: ({ algorithm }) => [algorithm],
  environment: ({ environment }) => [environment],
  tag: ({ tags }) => tags,
};

const textsOf = (run: RunSummary): readonly string[] =>
  Object.values(PROPERTIES).flatMap((texts) => texts(run));

/**
 * Returns a predicate: whether a run has all words of a query anywhere in its name, state, algorithm,
 * environment and tags, or in one of these (`state:finished`). Matching ignores case; a quoted word may
 * contain spaces.
 */
export function runFilter(query: string): (run: RunSummary) => boolean {
  const words = [...query.toLowerCase().matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)].map(
    ([whole, key = "", quoted, plain]) => {
      const property = PROPERTIES[key];
      const word = quoted ?? plain ?? "";
      return property === undefined
        ? { texts: textsOf, word: key === "" ? word : whole }
        : { texts: property, word };
    },
  );
  return (run) =>
    words.every(({ texts, word }) => texts(run).some((text) => text.toLowerCase().includes(word)));
}
