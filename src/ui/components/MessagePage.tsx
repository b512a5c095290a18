import type { ReactNode } from "react";
import { PageHeading } from "./PageHeading.tsx";

/** A page that has only something to say. */
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
