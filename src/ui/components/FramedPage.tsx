import { MessagePage } from "./MessagePage.tsx";

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
