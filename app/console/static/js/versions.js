/** The versions of a document: read one, compare two, or ask as of one. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, getText, id, tenantUrl } from "./api.js";
import { differences } from "./differences.js";
import { closeDrawer } from "./drawer.js";
import { bytes, count, when } from "./format.js";
import { readAsOf } from "./narrow.js";
import { redraw } from "./redraw.js";
import { go } from "./session.js";

export function versionsView(source, openVersion) {
  source.history ??= load(source);
  const { versions, problem } = source.history;
  if (problem) return html`<p class="error" role="alert">${problem.message}</p>`;
  if (!versions) return html`<p class="stage">Loading…</p>`;
  return html`
    <ul class="versions">
      ${versions.map((one) => versionView(source, one, openVersion))}
    </ul>
    ${versions.length > 1 ? comparison(source) : html`<p class="fine">There is one version.</p>`}
  `;
}

function load(source) {
  const history = { versions: null, problem: null, before: null, after: null, parts: null };
  getJson(tenantUrl(source.tenant, `documents/${id(source.passage.document_id)}/versions`))
    .then(({ versions }) => {
      history.versions = versions;
      [history.after, history.before] = versions.map(({ version }) => version);
    })
    .catch((problem) => (history.problem = problem))
    .finally(redraw);
  return history;
}

function versionView(source, one, openVersion) {
  const until = one.current ? "now" : `snapshot ${one.ended - 1}`;
  return html`<li>
    <div>
      <b>Version ${one.version}</b>
      <span class="badge" data-state=${one.state}>${one.current ? "current" : one.state}</span>
      <p class="fine">
        ${when(one.created_at)} · ${count(one.chunks, "chunk")} · ${bytes(one.bytes)} · readable from snapshot
        ${one.snapshot} to ${until}
      </p>
    </div>
    <div class="row">
      <button @click=${() => openVersion(source, one.version)}>Read</button>
      <button @click=${() => askAsOf(source, one.snapshot)}>Ask as of then</button>
    </div>
  </li>`;
}

function askAsOf({ tenant }, snapshot) {
  readAsOf(tenant, snapshot);
  closeDrawer();
  go(tenant, "ask");
}

function comparison(source) {
  const { history } = source;
  return html`<section class="comparison" aria-label="Compare">
    <div class="row">
      <h3>Compare</h3>
      ${choice(history, "before", "Older version")} <span aria-hidden="true">→</span>
      ${choice(history, "after", "Newer version")}
      <button @click=${() => compare(source)}>Compare</button>
    </div>
    ${history.parts ? partsView(history.parts) : nothing}
  </section>`;
}

function choice(history, end, label) {
  const choose = (event) => {
    history[end] = Number(event.target.value);
    history.parts = null;
    redraw();
  };
  return html`<select aria-label=${label} @change=${choose}>
    ${history.versions.map(
      ({ version }) => html`<option value=${version} .selected=${version === history[end]}>Version ${version}</option>`,
    )}
  </select>`;
}

async function compare({ tenant, passage, history }) {
  const text = (version) => getText(tenantUrl(tenant, `documents/${id(passage.document_id)}/content`, { version }));
  try {
    history.parts = differences(...(await Promise.all([text(history.before), text(history.after)])));
  } catch (problem) {
    history.problem = problem;
  }
  redraw();
}

function partsView(parts) {
  if (parts === "too different") return html`<p>The versions are too long and too different to compare here.</p>`;
  if (!parts.length) return html`<p>The texts are equal; the metadata or the pipeline differ.</p>`;
  return html`<div class="document-text diff">${parts.map(partView)}</div>`;
}

function partView({ kind, text }) {
  if (kind === "added") return html`<ins>${text}</ins>`;
  if (kind === "removed") return html`<del>${text}</del>`;
  return kind === "gap" ? html`<span class="gap" role="separator" aria-label="unchanged text left out">⋯</span>` : text;
}
