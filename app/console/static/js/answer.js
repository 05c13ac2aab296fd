/** An answer: its text with footnotes, how sure it is, what each sentence rests on, and what can be done with it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { answerActions } from "./feedback.js";
import { count, passage, percent, place, seconds } from "./format.js";
import { hideNote, showNote } from "./notes.js";
import { thumbnail, writtenBy } from "./pictures.js";
import { openSource } from "./drawer.js";

const MARK = /\[(\d+)\]/g;
const DECLINED = {
  no_hits: "Nothing in the documents matches this question.",
  filtered_out: "Some documents match, but your filters or scope leave them out.",
  low_confidence: "The closest passages are listed below; none answers the question well enough.",
};
const VERDICTS = {
  supported: { sign: "✓", text: "Supported by its footnote" },
  partial: { sign: "~", text: "Partly supported" },
  unsupported: { sign: "✕", text: "Not supported" },
};

export function answerView(tenant, turn, actions) {
  if (turn.problem) return problemView(turn, actions);
  if (!turn.answer && !turn.text) return html`<p class="stage">${stage(turn)}</p>`;
  const { answer } = turn;
  return html`<div class="answer">
    ${answer?.abstained ? declined(turn, actions) : html`<p class="prose">${textWithNotes(tenant, turn)}</p>`}
    ${answer ? html`<div class="answer-facts">${sureness(answer)} ${origin(answer)}</div>` : nothing}
    ${footnotes(tenant, turn)}
    ${answer ? html`${claims(answer)} ${steps(answer)} ${sources(tenant, answer)} ${tools(answer)} ${answerActions(tenant, turn)}` : nothing}
  </div>`;
}

function stage({ sources }) {
  return sources ? `Reading ${count(sources.length, "passage")}…` : "Searching…";
}

function problemView({ problem, text }, actions) {
  return html`<div class="answer">
    ${text ? html`<p class="prose">${text}</p>` : nothing}
    <p class="error" role="alert">${problem.message}</p>
    <button @click=${actions.again}>Ask again</button>
  </div>`;
}

function declined({ answer }, actions) {
  return html`<p class="prose declined">${answer.answer}</p>
    <p class="why">${DECLINED[answer.reason] ?? ""}</p>
    ${answer.reason === "filtered_out"
      ? html`<button @click=${actions.askWithoutFilters}>Ask without filters</button>`
      : nothing}`;
}

function textWithNotes(tenant, turn) {
  const parts = [];
  let end = 0;
  for (const match of turn.text.matchAll(MARK)) {
    const citation = turn.citations.find((one) => one.number === Number(match[1]));
    if (!citation) continue;
    parts.push(turn.text.slice(end, match.index).trimEnd(), noteButton(tenant, turn, citation));
    end = match.index + match[0].length;
  }
  return [...parts, turn.text.slice(end)];
}

function noteButton(tenant, turn, citation) {
  return html`<button
    class="note"
    aria-label="Footnote ${citation.number}: ${citation.title}. Open the source"
    aria-describedby=${quoteId(turn, citation)}
    @focus=${(event) => showNote(event.currentTarget, citation)}
    @mouseenter=${(event) => showNote(event.currentTarget, citation)}
    @blur=${hideNote}
    @mouseleave=${hideNote}
    @click=${() => openCitation(tenant, turn, citation)}
  >
    ${citation.number}
  </button>`;
}

function quoteId(turn, { number }) {
  return `quote-${turn.key}-${number}`;
}

function openCitation(tenant, turn, citation) {
  hideNote();
  const tool = turn.answer?.tools.find((one) => one.source === citation.document_id);
  openSource(tenant, { ...citation, text: citation.version === 0 ? (tool?.output ?? citation.quote) : undefined });
}

function sureness({ confidence, abstained }) {
  const level = confidence >= 0.75 ? "high" : confidence >= 0.5 ? "middle" : "low";
  const words = abstained ? "Confidence in the best guess" : "Confidence";
  return html`<span class="sureness" data-level=${level} title="The estimated chance that the answer is right">
    <svg viewBox="0 0 48 6" aria-hidden="true"><rect class="track" width="48" height="6" rx="3" /><rect
        class="bar"
        width=${48 * confidence}
        height="6"
        rx="3" /></svg
    >${words} ${percent(confidence)}
  </span>`;
}

function origin(answer) {
  const took = Object.values(answer.timings_ms).reduce((sum, part) => sum + part, 0) / 1000;
  const by = answer.llm_generated ? `written by ${answer.model}` : "quoted word for word";
  const silent = answer.abstained || answer.model === "small_talk"; // fixed words, which nobody wrote or quoted
  return html`${silent ? nothing : html`<span>${by}</span>`}<span>${answer.cached ? "given before" : seconds(took)}</span>
    ${answer.degraded ? html`<span class="warn">the language model was not available</span>` : nothing}
    ${answer.truncated ? html`<span class="warn">cut off by the model</span>` : nothing}
    ${answer.rewritten_question ? html`<span>understood as “${answer.rewritten_question}”</span>` : nothing}`;
}

function footnotes(tenant, turn) {
  if (!turn.citations.length) return nothing;
  return html`<ol class="footnotes" aria-label="Footnotes">
    ${turn.citations.map(
      (citation) => html`<li>
        <span class="number" aria-hidden="true">${citation.number}</span>
        <div>
          <button class="link" @click=${() => openCitation(tenant, turn, citation)}>${citation.title}</button>
          <span class="place">${place(citation)}</span>
          ${thumbnail(tenant, citation)}
          <blockquote id=${quoteId(turn, citation)}>${citation.quote}</blockquote>
          ${writtenBy(citation)}
        </div>
      </li>`,
    )}
  </ol>`;
}

function claims({ claims: found }) {
  if (!found.length) return nothing;
  const held = found.filter((claim) => claim.verdict === "supported" && !claim.withheld).length;
  return html`<details class="more">
    <summary>${held} of ${count(found.length, "statement")} supported</summary>
    <ul class="claims">
      ${found.map((claim) => claimView(claim))}
    </ul>
  </details>`;
}

function claimView({ text, verdict, withheld, citations, checks }) {
  const { sign, text: label } = VERDICTS[verdict];
  return html`<li data-verdict=${verdict}>
    <span class="sign" aria-hidden="true">${sign}</span>
    <div>
      <p>${withheld ? html`<s>${text}</s>` : text}</p>
      <p class="fine">
        ${label}${citations.length ? ` (${citations.join(", ")})` : ""}${withheld ? "; left out of the answer" : ""}.
        ${checksView(checks)}
      </p>
    </div>
  </li>`;
}

function checksView(checks) {
  const listed = Object.entries(checks).map(([name, value]) => `${name.replaceAll("_", " ")}: ${checkText(value)}`);
  return listed.length ? html`<span class="checks">${listed.join(" · ")}</span>` : nothing;
}

function checkText(value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number") return value.toLocaleString("en", { maximumFractionDigits: 2 });
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The sub-questions of a question that was answered in parts. */
function steps({ steps: taken }) {
  if (!taken.length) return nothing;
  return html`<details class="more">
    <summary>Answered in ${count(taken.length, "step")}</summary>
    <ol class="sources">
      ${taken.map(
        (step) => html`<li>
          <b>${step.question}</b><span class="score">${percent(step.confidence)}</span>
          <p>${step.text || "The documents don't answer this part."}</p>
        </li>`,
      )}
    </ol>
  </details>`;
}

function sources(tenant, { sources: hits, abstained }) {
  if (!hits.length) return nothing;
  return html`<details class="more" ?open=${abstained}>
    <summary>${abstained ? "Closest passages" : `${count(hits.length, "passage")} read`}</summary>
    <ul class="sources">
      ${hits.map(
        (hit) => html`<li>
          <button class="link" @click=${() => openSource(tenant, hit)}>${hit.title}</button>
          <span class="place">${place(hit)}</span><span class="score">${percent(hit.score)}</span>
          <p>${passage(hit)}</p>
        </li>`,
      )}
    </ul>
  </details>`;
}

function tools({ tools: asked }) {
  if (!asked.length) return nothing;
  return html`<details class="more">
    <summary>${count(asked.length, "tool")} asked</summary>
    <ul class="sources">
      ${asked.map(
        (tool) => html`<li>
          <b>${tool.name}</b> <span class="place">${JSON.stringify(tool.arguments)}</span>
          <p>${tool.error ?? tool.output}</p>
        </li>`,
      )}
    </ul>
  </details>`;
}
