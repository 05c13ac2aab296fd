/** Why a search shows a document, or does not: every step that it passed, and what dropped it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, postJson, tenantUrl } from "./api.js";
import { count, stepName } from "./format.js";
import { redraw } from "./redraw.js";

const MOST_KNOWN = 1000;

export function explainView(tenant, lab) {
  const { explain } = lab;
  return html`<section class="panel explain" aria-labelledby="explain-title">
    <h2 id="explain-title">Is a document missing?</h2>
    <form class="row" @submit=${(event) => submit(event, tenant, lab)}>
      <datalist id="known-documents">${explain.known.map((one) => html`<option value=${one}></option>`)}</datalist>
      <label class="grow"
        >Its id
        <input
          name="document"
          list="known-documents"
          required
          .value=${explain.documentId}
          @focus=${() => loadKnown(tenant, explain)}
          @input=${(event) => (explain.documentId = event.target.value)}
      /></label>
      <button>Explain</button>
    </form>
    ${explain.problem ? html`<p class="error" role="alert">${explain.problem.message}</p>` : nothing}
    ${explain.found ? explanation(explain.found) : nothing}
  </section>`;
}

async function loadKnown(tenant, explain) {
  if (explain.known.length) return;
  try {
    const { documents } = await getJson(tenantUrl(tenant, "documents", { limit: MOST_KNOWN }));
    explain.known = documents.map((one) => one.document_id);
  } catch {
    return; // the field does without suggestions
  }
  redraw();
}

async function submit(event, tenant, lab) {
  event.preventDefault();
  const { explain } = lab;
  try {
    explain.found = await postJson(tenantUrl(tenant, "explain"), { ...lab.asked, document_id: explain.documentId });
    explain.problem = null;
  } catch (problem) {
    Object.assign(explain, { problem, found: null });
  }
  redraw();
}

function explanation({ found, dropped_by: droppedBy, hint, stages, filter }) {
  const words = found ? "The search shows it." : `The search does not show it: dropped by ${stepName(droppedBy)}.`;
  return html`<div role="status">
    <p><b>${words}</b></p>
    ${hint ? html`<p>To let it in: ${hint}.</p>` : nothing} ${stagesTable(stages)} ${clauses(filter)}
  </div>`;
}

function stagesTable(stages) {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Step</th>
        <th scope="col" class="number">Rank</th>
        <th scope="col" class="number">Score</th>
        <th scope="col">Kept</th>
        <th scope="col">Note</th>
      </tr>
    </thead>
    <tbody>
      ${stages.map(
        (stage) => html`<tr>
          <td>${stepName(stage.name)}</td>
          <td class="number">${stage.rank ?? ""}</td>
          <td class="number">${stage.score?.toLocaleString("en", { maximumFractionDigits: 3 }) ?? ""}</td>
          <td>${stage.kept ? "yes" : html`<b class="error">no</b>`}</td>
          <td class="fine">${stage.note ?? ""}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function clauses(filter) {
  if (!filter.length) return nothing;
  return html`<details class="more">
    <summary>Filters and scope</summary>
    <ul>
      ${filter.map(
        (one) => html`<li>
          ${one.fits ? "✓" : html`<b class="error">✕</b>`} <code>${one.clause}</code>
          <span class="fine">${count(one.matches, "document")}</span>
        </li>`,
      )}
    </ul>
  </details>`;
}
