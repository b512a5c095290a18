import { Component, type ReactNode } from "react";
import { messageOf } from "../lib/messageOf.ts";
import { FailedPage } from "./FailedPage.tsx";

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
