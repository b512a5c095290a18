import { useEffect, useState } from "react";
import type { DatasetView } from "../../../workers/pages.ts";
import { messageOf } from "../../lib/format.ts";
import { dataCalls } from "../../state/dataShelf.ts";

export type ShownView =
  | { readonly state: "reading" }
  | { readonly state: "read"; readonly view: DatasetView }
  | { readonly state: "failed"; readonly problem: string };

/**
 * The contents of a stored data set, read by a worker. For another data set, mount a new component (set a
 * `key`).
 */
export function useDatasetView(sha256: string): ShownView {
  const [shown, setShown] = useState<ShownView>({ state: "reading" });
  useEffect(() => {
    let wanted = true;
    dataCalls.view(sha256).then(
      (view) => wanted && setShown({ state: "read", view }),
      (error: unknown) => wanted && setShown({ state: "failed", problem: messageOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [sha256]);
  return shown;
}
