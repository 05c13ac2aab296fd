/** The tab Health: how much the tenant holds, how quick and how sure it is, and what it could not answer. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, getText, serverUrl, tenantUrl } from "./api.js";
import { byLabel, histogram, quantile, samplesOf, sum } from "./exposition.js";
import { bytes, count, percent, seconds, when } from "./format.js";
import { amounts, histogramPlot, linePlot, tile } from "./plots.js";
import { redraw } from "./redraw.js";
import { session } from "./session.js";

const REFRESH_MS = 5000;
const KEPT = 60;
const STAGES = ["embed", "retrieve", "rerank", "generate"];
const states = new Map();
let timer = 0;

function stateOf(tenant) {
  if (!states.has(tenant)) {
    states.set(tenant, { stats: null, samples: null, problem: null, refused: null, asked: [], rates: [] });
    refresh(tenant);
  }
  return states.get(tenant);
}

async function refresh(tenant) {
  clearTimeout(timer);
  const state = states.get(tenant);
  await Promise.all([loadStats(tenant, state), loadMetrics(tenant, state)]);
  redraw();
  timer = setTimeout(() => refreshIfShown(tenant), REFRESH_MS);
}

/** Asks again only while somebody looks. */
function refreshIfShown(tenant) {
  if (session.tab === "health" && session.tenant?.tenant === tenant && !document.hidden) refresh(tenant);
  else states.delete(tenant);
}

async function loadStats(tenant, state) {
  try {
    state.stats = await getJson(tenantUrl(tenant, "stats", { most: 10 }));
    state.problem = null;
  } catch (problem) {
    state.problem = problem;
  }
}

async function loadMetrics(tenant, state) {
  if (state.refused) return;
  try {
    state.samples = samplesOf(await getText(serverUrl("metrics")), tenant);
  } catch (problem) {
    if (problem.status === 401 || problem.status === 403) state.refused = problem;
    return;
  }
  const asked = sum(state.samples, "footnote_search_duration_seconds_count");
  state.asked.push(asked);
  if (state.asked.length > 1) state.rates.push(Math.max(asked - state.asked.at(-2), 0));
  state.asked = state.asked.slice(-2);
  state.rates = state.rates.slice(-KEPT);
}

export function healthView({ tenant, contract, docs }) {
  const state = stateOf(tenant);
  return html`<div class="wide">
    <h1>Health</h1>
    ${state.problem ? html`<p class="error" role="alert">${state.problem.message}</p>` : nothing}
    ${state.stats ? tiles(state.stats) : html`<p class="stage">Loading…</p>`}
    ${state.refused
      ? html`<p class="why">Plots of latency, ingestion and confidence need an admin's key without a scope.</p>`
      : state.samples && state.stats
        ? plots(state)
        : nothing}
    ${state.stats ? questions(state.stats) : nothing}
    <p class="fine">
      APIs of this tenant: <a href=${serverUrl("tenants/docs")}>native</a>${docs
        ? html`, <a href=${serverUrl(docs)}>${contract}</a>`
        : nothing}
    </p>
  </div>`;
}

function tiles(stats) {
  return html`<div class="tiles">
    ${tile(stats.documents.toLocaleString("en"), "documents", trouble(stats))}
    ${tile(stats.chunks.toLocaleString("en"), "chunks")} ${tile(stats.versions.toLocaleString("en"), "versions kept")}
    ${tile(bytes(stats.bytes), "on disk")} ${tile(stats.snapshot, "snapshot", `history from ${stats.horizon}`)}
    ${tile(feedbackShare(stats.feedback), "found helpful", judged(stats.feedback))}
  </div>`;
}

function trouble({ failed, stale }) {
  const parts = [failed ? `${failed} failed` : "", stale ? `${stale} stale` : ""];
  return parts.filter(Boolean).join(", ");
}

function feedbackShare({ helpful, not_helpful: not }) {
  return helpful + not ? percent(helpful / (helpful + not)) : "none";
}

function judged({ answers, helpful, not_helpful: not }) {
  return `${helpful + not} of ${count(answers, "answer")} judged`;
}

function plots({ samples, stats, rates }) {
  return html`<div class="plots">
    ${latency(samples, "footnote_search_duration_seconds", "Searches")}
    ${latency(samples, "footnote_query_duration_seconds", "Answers")} ${confidence(samples)} ${stages(samples)}
    ${ingestion(samples)} ${caches(samples, stats)}
    ${rates.length > 1
      ? panel("Searches now", html`${linePlot(rates, `Searches each ${REFRESH_MS / 1000} seconds: ${rates.join(", ")}`)}
          <p class="fine">each ${REFRESH_MS / 1000} s, since this page was opened</p>`)
      : nothing}
  </div>`;
}

function panel(title, content) {
  return html`<section class="panel"><h2>${title}</h2>${content}</section>`;
}

function latency(samples, name, title) {
  const found = histogram(samples, name);
  const marks = found.count
    ? html`<p class="fine">
        ${found.count.toLocaleString("en")} in all · half within ${seconds(quantile(found, 0.5))} · 95 % within
        ${seconds(quantile(found, 0.95))}
      </p>`
    : nothing;
  return panel(title, html`${histogramPlot(found, seconds, `How long ${title.toLowerCase()} took`)}${marks}`);
}

function confidence(samples) {
  const found = histogram(samples, "footnote_answer_confidence");
  const declined = byLabel(samples, "footnote_answers_abstained_total", "reason");
  const reasons = Object.entries(declined).map(([reason, times]) => `${reason.replaceAll("_", " ")}: ${times}`);
  return panel(
    "Confidence",
    html`${histogramPlot(found, percent, "How sure answers were", 1)}
      ${reasons.length ? html`<p class="fine">declined: ${reasons.join(", ")}</p>` : nothing}`,
  );
}

function stages(samples) {
  const means = STAGES.map((stage) => [stage, mean(histogram(samples, "footnote_stage_duration_seconds", { stage }))]);
  const rounded = Object.fromEntries(means.filter(([, value]) => value).map(([stage, value]) => [stage, round(value)]));
  return panel("Where the time goes", html`${amounts(rounded)}<p class="fine">milliseconds, on average</p>`);
}

function mean({ count: number, sum: total }) {
  return number ? (total / number) * 1000 : 0;
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function ingestion(samples) {
  const chunks = sum(samples, "footnote_ingested_chunks_total");
  const took = sum(samples, "footnote_ingestion_duration_seconds_sum");
  const speed = took && chunks ? html`<p class="fine">${Math.round(chunks / took)} chunks a second</p>` : nothing;
  return panel(
    "Documents brought in",
    html`${amounts(byLabel(samples, "footnote_ingested_documents_total", "state"))}${speed}
      <p class="fine">since the server started</p>`,
  );
}

function caches(samples, stats) {
  const { mode, hits, misses, entries, bytes: size } = stats.answer_cache;
  const content =
    mode === "off"
      ? html`<p class="fine">Answers are not cached; the profile turns it on.</p>`
      : html`${amounts({ hits, misses })}<p class="fine">${mode}: ${count(entries, "answer")} kept, ${bytes(size)}</p>`;
  return panel("Answer cache", content);
}

function questions({ unanswered, top_questions: asked }) {
  return html`<div class="plots two">
    ${panel("Not answered", unanswered.length ? unansweredTable(unanswered) : html`<p class="fine">None.</p>`)}
    ${panel("Asked most", asked.length ? askedTable(asked) : html`<p class="fine">None yet.</p>`)}
  </div>`;
}

function unansweredTable(rows) {
  return html`<table>
    <thead>
      <tr><th scope="col">Question</th><th scope="col">Why</th><th scope="col" class="number">Times</th><th scope="col">Last</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        (one) => html`<tr>
          <td>${one.question}</td><td class="fine">${one.reason.replaceAll("_", " ")}</td>
          <td class="number">${one.count}</td><td class="fine">${when(one.last)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function askedTable(rows) {
  return html`<table>
    <thead>
      <tr><th scope="col">Question</th><th scope="col" class="number">Times</th><th scope="col" class="number">Best hit</th></tr>
    </thead>
    <tbody>
      ${rows.map(
        (one) => html`<tr>
          <td>${one.question}</td><td class="number">${one.count}</td><td class="number">${percent(one.relevance)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

addEventListener("visibilitychange", redraw);
