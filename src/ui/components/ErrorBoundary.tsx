import { Component, type ReactNode } from "react";
import { messageOf } from "../lib/format.ts";
import { liveRun } from "../state/runList.ts";
import { useWorkbenchState } from "../state/Workbench.ts";
import { Button } from "./Button.tsx";
import { MessagePage } from "./MessagePage.tsx";

/** Shown instead of a page that failed to load or render. Warns if reloading would end training. */
function FailedPage({ message }: { readonly message: string }) {
  const run = useWorkbenchState(({ list, leaving }) => liveRun(list, leaving));
  return (
    <MessagePage title="This page could not be shown">
      <p>{message}</p>
      {run === null ? (
        <p>Reload the page to try again.</p>
      ) : (
        <p>
          “{run.name}” is still training in this tab. Reloading stops it; you can then resume it from its last
          checkpoint. If you are offline, wait until the connection is back.
        </p>
      )}
      <Button primary onClick={() => window.location.reload()}>
        {run === null ? "Reload" : "Reload and stop training"}
      </Button>
    </MessagePage>
  );
}

interface Props {
  /** A change renders the children again after an error. */
  readonly place: string;
  readonly children: ReactNode;
}

interface State {
  readonly message: string | null;
  readonly place: string;
}

/** Keeps the rest of the workbench working when a page fails to load or render. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { message: null, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { message: messageOf(error) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.place === state.place ? null : { message: null, place: props.place };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return <FailedPage message={message} />;
  }
}
