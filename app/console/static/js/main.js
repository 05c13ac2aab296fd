/** The shell: header, tabs, the key, and the view that is open. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { askView } from "./ask.js";
import { documentsView, reopenDocuments } from "./documents.js";
import { healthView } from "./health.js";
import { icon } from "./icons.js";
import { labView } from "./lab.js";
import { onRedraw, redraw } from "./redraw.js";
import { go, keepKey, loadTenants, session, useKey } from "./session.js";
import { storedKey } from "./api.js";
import { noteCard } from "./notes.js";
import { sourceDialog } from "./drawer.js";
import { applyTheme, nextTheme, themeName } from "./theme.js";

const TABS = [
  { name: "ask", title: "Ask", view: askView },
  { name: "lab", title: "Search lab", view: labView },
  { name: "documents", title: "Documents", view: documentsView },
  { name: "health", title: "Health", view: healthView },
];

function page() {
  return html`
    <a class="skip" href="#main" @click=${skip}>Skip to content</a>
    ${header()}
    <main id="main" tabindex="-1">${content()}</main>
    ${sourceDialog()} ${noteCard()}
  `;
}

function header() {
  return html`<header class="top">
    <a class="wordmark" href="#/" aria-label="Footnote">Footnote<sup aria-hidden="true">1</sup></a>
    ${session.tenant ? tabs() : nothing}
    <div class="top-end">
      ${tenantChoice()}
      <button class="quiet" @click=${askForKey} aria-label=${storedKey() ? "Change the key" : "Enter a key"}>
        ${icon("key")}
      </button>
      <button class="quiet" @click=${changeTheme} aria-label="Theme: ${themeName()}. Change" title=${themeName()}>
        ${icon("theme")}
      </button>
    </div>
  </header>`;
}

function tabs() {
  return html`<nav class="tabs" aria-label="Sections">
    ${TABS.map(
      (tab) => html`<a
        href="#/${encodeURIComponent(session.tenant.tenant)}/${tab.name}"
        aria-current=${tab.name === session.tab ? "page" : nothing}
        >${icon(tab.name)}<span>${tab.title}</span></a
      >`,
    )}
  </nav>`;
}

function tenantChoice() {
  if (session.tenants.length < 2) return nothing;
  return html`<select
    class="tenant"
    aria-label="Tenant"
    @change=${(event) => go(event.target.value, session.tab)}
  >
    ${session.tenants.map(
      (one) =>
        html`<option value=${one.tenant} .selected=${one === session.tenant}>${one.title || one.tenant}</option>`,
    )}
  </select>`;
}

function content() {
  if (session.loading) return html`<p class="notice" role="status">Connecting…</p>`;
  if (session.keyAsked) return keyForm();
  if (session.problem) return html`<p class="notice error" role="alert">${session.problem.message}</p>`;
  if (!session.tenant) return html`<p class="notice">This server serves no tenant.</p>`;
  return TABS.find((tab) => tab.name === session.tab).view(session.tenant);
}

function keyForm() {
  return html`<form class="panel key-form" @submit=${enterKey}>
    <h1>Enter your key</h1>
    <p>It is kept in this browser tab until you close it, and sent to this server alone.</p>
    ${session.problem ? html`<p class="error" role="alert">${session.problem.message}</p>` : nothing}
    <label>Key <input name="key" type="password" autocomplete="off" spellcheck="false" required autofocus /></label>
    <div class="row">
      <button class="primary">Continue</button>
      ${session.tenants.length || storedKey()
        ? html`<button type="button" @click=${() => useKey("")}>Use no key</button>`
        : nothing}
      ${session.tenants.length ? html`<button type="button" @click=${keepKey}>Cancel</button>` : nothing}
    </div>
  </form>`;
}

function askForKey() {
  session.keyAsked = true;
  session.problem = null;
  redraw();
}

function enterKey(event) {
  event.preventDefault();
  useKey(new FormData(event.target).get("key").trim());
}

function changeTheme() {
  nextTheme();
  redraw();
}

function moved() {
  keepKey();
  if (session.tenant && session.tab === "documents") reopenDocuments(session.tenant.tenant);
}

/** A browser opens a file that is dropped beside the place for it, and leaves the page. */
function keepPage(event) {
  if (event.dataTransfer?.types?.includes("Files")) event.preventDefault();
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

applyTheme();
onRedraw(() => render(page(), document.getElementById("app")));
addEventListener("hashchange", moved);
for (const name of ["dragover", "drop"]) addEventListener(name, keepPage);
redraw();
loadTenants();
