import { formatRoute, type Route } from "../routes/route.ts";
import { LiveRun } from "./LiveRun.tsx";
import { Logo } from "./Logo.tsx";
import { linkOf, railLinks } from "./railLinks.ts";
import { StorageMeter } from "./StorageMeter.tsx";
import "./Rail.css";

/**
 * Navigation links, and below them the live run and the storage meter. Shows only icons in narrow windows.
 */
export function Rail({ route: shown }: { readonly route: Route }) {
  const here = linkOf(shown);
  return (
    <header className="rail">
      <a className="rail__name" href="#/" aria-label="rlkit">
        <Logo />
        <span className="rail__text">rlkit</span>
      </a>
      <nav aria-label="Pages" className="rail__nav">
        {railLinks.map(({ label, icon: Icon, route }) => (
          <a
            key={label}
            className="rail__link"
            href={formatRoute(route)}
            aria-current={label === here ? "page" : undefined}
          >
            <Icon aria-hidden="true" />
            <span className="rail__label">{label}</span>
          </a>
        ))}
      </nav>
      <div className="rail__foot">
        <LiveRun />
        <StorageMeter />
      </div>
    </header>
  );
}
