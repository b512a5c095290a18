import { MessagePage } from "./MessagePage.tsx";

/**
 * Shown instead of the workbench inside a frame. A framing page could overlay its own buttons and make the
 * user delete runs unknowingly (clickjacking). Servers that can send headers forbid framing; this covers
 * those that cannot.
 */
export function FramedPage() {
  return (
    <MessagePage title="The workbench has a page of its own">
      <p>Another page shows it in a frame, where it starts nothing and opens no runs.</p>
      <a className="button button--primary" href={window.location.href} target="_blank" rel="noreferrer">
        Open it in a tab
      </a>
    </MessagePage>
  );
}
