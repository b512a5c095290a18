import { loadable } from "../../../lib/loadable.tsx";

/** The dialog that records a data set: most people record nothing. */
export const LazyRecordDialog = loadable(async () => (await import("./RecordDialog.tsx")).RecordDialog);
