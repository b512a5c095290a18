import { loadable } from "../../../lib/loadable.tsx";

/** The dialog that records a data set, loaded lazily because few users record one. */
export const LazyRecordDialog = loadable(async () => (await import("./RecordDialog.tsx")).RecordDialog);
