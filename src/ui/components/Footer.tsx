/** Links to the notices of third-party code; the build writes the file (scripts/lib/notices.mjs). */
export function Footer() {
  return (
    <footer className="page footer">
      <a href="./third-party-notices.txt">Third-party notices</a>
    </footer>
  );
}
