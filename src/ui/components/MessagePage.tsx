import type { ReactNode } from "react";
import { PageHeading } from "./PageHeading.tsx";

/** A page that shows only a message. */
export function MessagePage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="page">
      <div className="message-page">
        <PageHeading title={title} />
        {children}
      </div>
    </div>
  );
}
