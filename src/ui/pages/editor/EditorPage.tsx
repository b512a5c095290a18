import type { Route } from "../../routes/route.ts";
export function EditorPage({ route }: { readonly route: Extract<Route, { page: "editor" }> }) {
  return <p>{route.page}</p>;
}
