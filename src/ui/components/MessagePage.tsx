import type { ReactNode } from "react";

/** A page that has only something to say. */
export function MessagePage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="page">
      <div className="message-page">
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
