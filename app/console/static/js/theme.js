/** Light, dark, or as the system says; kept in this browser. */

const STORED = "footnote-theme";
const THEMES = ["system", "light", "dark"];

export function themeName() {
  const stored = localStorage.getItem(STORED);
  return THEMES.includes(stored) ? stored : "system";
}

export function nextTheme() {
  localStorage.setItem(STORED, THEMES[(THEMES.indexOf(themeName()) + 1) % THEMES.length]);
  applyTheme();
}

export function applyTheme() {
  document.documentElement.dataset.theme = themeName();
}
