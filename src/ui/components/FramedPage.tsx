import { MessagePage } from "./MessagePage.tsx";

/**
 * In place of the workbench inside another page: whoever frames it could lay their own buttons over its, and have
 * runs deleted by clicks meant for others. Servers that send headers refuse it before; this is for those that cannot.
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
