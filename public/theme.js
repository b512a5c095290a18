// Before the first paint, so that a chosen theme never flashes; src/ui/state/theme.ts holds the key.
try {
  const theme = localStorage.getItem("rlkit.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (localStorage.getItem("rlkit.motion") === "none") document.documentElement.dataset.motion = "none";
} catch {
  // Storage may be blocked; the system's theme is used then.
}
