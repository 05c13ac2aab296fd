/** Line icons; decorative, since the text or label beside each says the same. */

import { html, svg } from "../vendor/lit-html/lit-html.js";

const PATHS = {
  ask: svg`<path d="M4 5h16v11H9l-5 4z"/>`,
  lab: svg`<circle cx="11" cy="11" r="6"/><path d="m16 16 4 4"/>`,
  documents: svg`<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4M9 12h6M9 16h6"/>`,
  health: svg`<path d="M3 12h4l3-8 4 16 3-8h4"/>`,
  copy: svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15V5a1 1 0 0 1 1-1h9"/>`,
  yes: svg`<path d="M7 11v9H4v-9zM7 11l4-8a2 2 0 0 1 2 2v4h6l-1.6 9.3a2 2 0 0 1-2 1.7H7"/>`,
  no: svg`<path d="M7 13V4H4v9zM7 13l4 8a2 2 0 0 0 2-2v-4h6l-1.6-9.3a2 2 0 0 0-2-1.7H7"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  key: svg`<circle cx="8" cy="15" r="4"/><path d="m11 12 9-9M16 7l3 3"/>`,
  theme: svg`<circle cx="12" cy="12" r="8"/><path d="M12 4v16a8 8 0 0 0 0-16z" fill="currentColor"/>`,
  upload: svg`<path d="M12 16V4m-5 5 5-5 5 5M4 16v4h16v-4"/>`,
  remove: svg`<path d="M4 7h16M9 7V4h6v3m3 0-1 13H7L6 7"/>`,
  filter: svg`<path d="M4 6h16M7 12h10M10 18h4"/>`,
  plus: svg`<path d="M12 5v14M5 12h14"/>`,
  stop: svg`<rect x="6" y="6" width="12" height="12" rx="1"/>`,
  send: svg`<path d="M5 12h14m-6-6 6 6-6 6"/>`,
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`;
}
