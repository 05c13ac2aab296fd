/** The tab Search lab: what each leg and stage made of a query, and why a document is missing. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { postJson, tenantUrl } from "./api.js";
import { openSource } from "./drawer.js";
import { explainView } from "./explain.js";
import { count, passage, percent, place, stepName } from "./format.js";
import { fused, fusionOrder } from "./fusion.js";
import { icon } from "./icons.js";
import { narrowing, narrowPanel } from "./narrow.js";
import { redraw } from "./redraw.js";

const MODES = { "": "As the profile says", hybrid: "Meaning and words", dense: "Meaning", sparse: "Words" };
const labs = new Map();

function labOf(tenant) {
  if (!labs.has(tenant)) {
    labs.set(tenant, {
      query: "",
      mode: "",
      topK: 20,
      asked: null,
      result: null,
      problem: null,
      running: false,
      weight: null,
      explain: { documentId: "", found: null, problem: null, known: [] },
    });
  }
  return labs.get(tenant);
}

export function labView({ tenant }) {
  const lab = labOf(tenant);
  return html`<div class="wide">
    <h1>Search lab</h1>
    ${form(tenant, lab)} ${lab.problem ? html`<p class="error" role="alert">${lab.problem.message}</p>` : nothing}
    ${lab.result ? results(tenant, lab) : intro()} ${lab.asked ? explainView(tenant, lab) : nothing}
  </div>`;
}

function intro() {
  return html`<p class="why">
    See where each passage stood in every step: by meaning, by words, fused, and after each reranker.
  </p>`;
}

function form(tenant, lab) {
  const set = (name) => (event) => {
    lab[name] = event.target.value;
    redraw();
  };
  return html`<form class="panel lab-form" role="search" @submit=${(event) => submit(event, tenant, lab)}>
    <label class="grow"
      >Query <input type="search" name="query" required .value=${lab.query} @input=${set("query")}
    /></label>
    <label
      >Legs
      <select @change=${set("mode")}>
        ${Object.entries(MODES).map(
          ([value, title]) => html`<option value=${value} .selected=${value === lab.mode}>${title}</option>`,
        )}
      </select></label
    >
    <label
      >Results
      <input type="number" min="1" max="100" .value=${lab.topK} @change=${set("topK")}
    /></label>
    <button class="primary" ?disabled=${lab.running}>${icon("lab")}Search</button>
    <div class="lab-narrow">${narrowPanel(tenant)}</div>
  </form>`;
}

async function submit(event, tenant, lab) {
  event.preventDefault();
  const mode = lab.mode ? { mode: lab.mode } : {};
  lab.asked = { query: lab.query, top_k: Number(lab.topK), ...mode, ...narrowing(tenant) };
  Object.assign(lab, { running: true, problem: null, weight: null });
  Object.assign(lab.explain, { found: null, problem: null });
  redraw();
  try {
    lab.result = await postJson(tenantUrl(tenant, "search"), lab.asked);
  } catch (problem) {
    Object.assign(lab, { problem, result: null });
  }
  lab.running = false;
  redraw();
}

function results(tenant, lab) {
  const { results: hits, took_ms: took, snapshot } = lab.result;
  if (!hits.length) return html`<p class="notice" role="status">Nothing was found.</p>`;
  const shown = lab.weight === null ? hits : fusionOrder(hits, lab.weight);
  const steps = stepsOf(hits);
  return html`
    <p class="fine" role="status">
      ${count(hits.length, "result")} in ${took.toLocaleString("en", { maximumFractionDigits: 1 })} ms, snapshot ${snapshot}
    </p>
    ${weights(lab, hits)}
    <div class="scroll" tabindex="0" role="region" aria-label="Results">
      <table class="ranks">
        <thead>
          <tr>
            <th scope="col" class="number">Rank</th>
            <th scope="col">Passage</th>
            <th scope="col" class="number">Score</th>
            ${steps.map((step) => html`<th scope="col" class="number">${stepName(step)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${repeat(shown, (hit) => hit.chunk_id, (hit, index) => row(tenant, lab, hit, index, hits.indexOf(hit), steps))}
        </tbody>
      </table>
    </div>
  `;
}

function stepsOf(hits) {
  return [...new Set(hits.flatMap((hit) => Object.keys(hit.scores)))];
}

function row(tenant, lab, hit, index, before, steps) {
  const score = lab.weight === null ? hit.score : fused(hit);
  return html`<tr>
    <td class="number">${index + 1}${moved(before - index)}</td>
    <td>
      <button class="link" @click=${() => openSource(tenant, hit)}>${hit.title || hit.document_id}</button>
      <span class="fine">${place(hit)}</span>
      <p class="snippet">${passage(hit)}</p>
    </td>
    <td class="number">${percent(score)}${bar(score)}</td>
    ${steps.map((step) => html`<td class="number">${scoreView(hit.scores[step])}</td>`)}
  </tr>`;
}

function moved(places) {
  if (!places) return nothing;
  const label = places > 0 ? `up ${places}` : `down ${-places}`;
  return html`<span class="moved" data-way=${places > 0 ? "up" : "down"} aria-label=${label}
    >${places > 0 ? "↑" : "↓"}${Math.abs(places)}</span
  >`;
}

function bar(share) {
  return html`<svg class="bar" viewBox="0 0 60 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="60" height="4" rx="2" /><rect width=${60 * share} height="4" rx="2" />
  </svg>`;
}

function scoreView(score) {
  if (!score) return html`<span class="fine">none</span>`;
  return html`${score.rank}.<br /><span class="fine">${score.score.toLocaleString("en", { maximumFractionDigits: 3 })}</span>`;
}

/** The weights of both legs, tried on these results alone. */
function weights(lab, hits) {
  if (!hits.some((hit) => hit.scores.dense) || !hits.some((hit) => hit.scores.sparse)) return nothing;
  const weight = lab.weight ?? 0.5;
  const change = (value) => {
    lab.weight = value;
    redraw();
  };
  return html`<div class="weights">
    <label for="weight">Words</label>
    <input
      id="weight"
      type="range"
      min="0"
      max="1"
      step="0.05"
      aria-label="Weight of meaning against words"
      aria-valuetext="meaning ${percent(weight)}, words ${percent(1 - weight)}"
      .value=${String(weight)}
      @input=${(event) => change(Number(event.target.value))}
    />
    <span>Meaning</span>
    ${lab.weight === null
      ? html`<span class="fine">Move to see how other weights would order these results.</span>`
      : html`<code>dense_weight: ${weight}</code>
          <button class="quiet" @click=${() => change(null)}>As searched</button>
          <span class="fine">Fused here, without rerankers. To keep it, set retrieval → dense_weight in the profile.</span>`}
  </div>`;
}

