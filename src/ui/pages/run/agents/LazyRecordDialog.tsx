import { type ComponentProps, lazy, Suspense } from "react";
import type { RecordDialog as Dialog } from "./RecordDialog.tsx";

/** Most people record nothing. */
const RecordDialog = lazy(async () => ({ default: (await import("./RecordDialog.tsx")).RecordDialog }));

/** {@link Dialog} as soon as it is loaded. */
export const LazyRecordDialog = (props: ComponentProps<typeof Dialog>) => (
  <Suspense>
    <RecordDialog {...props} />
  </Suspense>
);
