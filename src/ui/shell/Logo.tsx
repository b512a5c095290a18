/** The logo of the workbench: a lineage whose elite line continues. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 12C9 12 9 5 14 5M4 12c5 0 5 7 10 7" className="logo__branch" />
      <path d="M4 12h8c4 0 4-3 8-3" className="logo__elite" />
      <circle cx="4" cy="12" r="2.4" />
      <circle cx="20" cy="9" r="2.4" className="logo__elite-node" />
    </svg>
  );
}
