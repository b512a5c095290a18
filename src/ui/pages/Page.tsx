import { LinkButton } from "../components/Button.tsx";
import { MessagePage } from "../components/MessagePage.tsx";
import { formatRoute, type Route, runsRoute } from "../routes/route.ts";
import {
  ChatPage,
  ComparePage,
  DataPage,
  DatasetPage,
  EditorPage,
  EnvironmentsPage,
  HelpPage,
  PlayPage,
  RemotePage,
  RunPage,
  SettingsPage,
  StoragePage,
} from "./lazyPages.tsx";
import { RunsPage } from "./runs/RunsPage.tsx";

/** The page of a route. */
export function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "runs":
      return <RunsPage route={route} />;
    case "editor":
      return <EditorPage route={route} />;
    case "run":
      return <RunPage key={route.id} route={route} />;
    case "remote":
      return <RemotePage />;
    case "storage":
      return <StoragePage />;
    case "settings":
      return <SettingsPage />;
    case "help":
      return <HelpPage />;
    case "chat":
      return <ChatPage route={route} />;
    case "compare":
      return <ComparePage route={route} />;
    case "play":
      return <PlayPage route={route} />;
    case "data":
      return route.dataset === null ? (
        <DataPage />
      ) : (
        <DatasetPage key={route.dataset} sha256={route.dataset} />
      );
    case "environments":
      return <EnvironmentsPage route={route} />;
    case "unknown":
      return <UnknownPage path={formatRoute(route).slice(1)} />;
  }
}

function UnknownPage({ path }: { readonly path: string }) {
  return (
    <MessagePage title="Page not found">
      <p>
        There is no page at <code>{path}</code>. The link may be mistyped or from another version.
      </p>
      <LinkButton primary to={runsRoute}>
        Go to runs
      </LinkButton>
    </MessagePage>
  );
}
