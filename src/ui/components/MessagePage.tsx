import type { ReactNode } from "react";
import { PageHeading } from "./PageHeading.tsx";

/** A page that shows only a message. */
export function MessagePage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="page">
      <div className="message-page grid gap-4 soft">
        <PageHeading title={title} />
        {children}
      </div>
    </div>
  );
}

/**
 * Shown instead of the workbench inside a frame. A framing page could overlay its own buttons and make the
 * user delete runs unknowingly (clickjacking). Servers that can send headers forbid framing; this covers
 * those that cannot.
 */
export function FramedPage() {
  return (
    <MessagePage title="Open the workbench in its own tab">
      <p>The workbench is embedded in another page, where it does not start or open runs.</p>
      <a className="button button--primary" href={window.location.href} target="_blank" rel="noreferrer">
        Open in a new tab
      </a>
    </MessagePage>
  );
}

/** Shown instead of the workbench if the browser lacks WebAssembly SIMD, without which nothing can train. */
export function NoSimdPage() {
  return (
    <MessagePage title="This browser cannot train">
      <p>
        rlkit needs WebAssembly SIMD, which this browser does not support. Nothing was started, and your saved
        data is unchanged.
      </p>
      <p>
        Use Chrome or Edge 91, Firefox 89, Safari 16.4, or later. If your browser is recent enough, check
        whether a policy or a security mode (such as Lockdown Mode) disables WebAssembly.
      </p>
    </MessagePage>
  );
}
