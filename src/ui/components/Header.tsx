import { editorRoute, formatRoute, type Route } from "../routes/route.ts";
import { ThemeToggle } from "./ThemeToggle.tsx";

/** Name, pages and theme; the same on every page. */
export function Header({ page }: { readonly page: Route["page"] }) {
  return (
    <header className="header">
      <div className="header__inner">
        <a className="header__name" href="#/">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 12C9 12 9 5 14 5M4 12c5 0 5 7 10 7" className="header__branch" />
            <path d="M4 12h8c4 0 4-3 8-3" className="header__elite" />
            <circle cx="4" cy="12" r="2.4" />
            <circle cx="20" cy="9" r="2.4" className="header__elite-node" />
          </svg>
          rlkit
        </a>
        <nav aria-label="Pages" className="header__nav">
          <a href="#/" aria-current={page === "home" ? "page" : undefined}>
            Runs
          </a>
          <a href={formatRoute(editorRoute())} aria-current={page === "editor" ? "page" : undefined}>
            New run
          </a>
        </nav>
        <ThemeToggle />
      </div>
    </header>
  );
}
