/** The tab Ask: a conversation with the documents of one tenant. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { answerView } from "./answer.js";
import { Problem, getJson, postForEvents, tenantUrl } from "./api.js";
import { count, percent } from "./format.js";
import { clearNarrowing, closeNarrowing, narrowing, narrowPanel } from "./narrow.js";
import { icon } from "./icons.js";
import { redraw } from "./redraw.js";
import { may } from "./session.js";

const LONG_QUESTION = 600; // characters
const threads = new Map();
let turnsMade = 0;

function threadOf(tenant) {
  if (!threads.has(tenant)) {
    threads.set(tenant, { turns: [], conversation: null, draft: "", running: null, stats: null, announced: "" });
    loadStats(tenant);
  }
  return threads.get(tenant);
}

async function loadStats(tenant) {
  try {
    threadOf(tenant).stats = await getJson(tenantUrl(tenant, "stats", { most: 4 }));
  } catch {
    return; // the page does without: asking shows what is wrong
  }
  redraw();
}

export function askView({ tenant, title }) {
  const thread = threadOf(tenant);
  return html`<div class="ask ${thread.turns.length ? "" : "ask-empty"}">
    ${thread.turns.length ? html`<h1 class="hidden">Conversation</h1>` : welcome(tenant, title, thread)}
    <ol class="turns">
      ${repeat(thread.turns, (turn) => turn.key, (turn) => turnView(tenant, thread, turn))}
    </ol>
    ${composer(tenant, thread)}
    ${thread.turns.length ? nothing : startingPoints(tenant, thread)}
    <p class="hidden" role="status">${thread.announced}</p>
  </div>`;
}

function welcome(tenant, title, thread) {
  const held = thread.stats ? `${count(thread.stats.documents, "document")}. ` : "";
  return html`<div class="welcome">
    <h1>Ask ${title || tenant}</h1>
    ${thread.stats?.documents === 0
      ? html`<p>There are no documents to ask yet. ${may("writer") ? bringIn(tenant) : nothing}</p>`
      : html`<p>${held}Every answer comes with footnotes that you can check in their source.</p>`}
  </div>`;
}

function bringIn(tenant) {
  return html`<a href="#/${encodeURIComponent(tenant)}/documents">Bring some in.</a>`;
}

function startingPoints(tenant, thread) {
  const failed = new Set(thread.stats?.unanswered.map(({ question }) => question));
  const asked = (thread.stats?.top_questions ?? []).filter(({ question }) => !failed.has(question));
  if (!asked.length) return nothing;
  return html`<div class="starting">
    <h2>Asked often</h2>
    <ul>
      ${asked.map(
        ({ question }) =>
          html`<li><button class="chip" @click=${() => ask(tenant, question)}>${question}</button></li>`,
      )}
    </ul>
  </div>`;
}

function turnView(tenant, thread, turn) {
  const actions = {
    again: () => ask(tenant, turn.question),
    askWithoutFilters: () => {
      clearNarrowing(tenant);
      ask(tenant, turn.question);
    },
  };
  return html`<li class="turn" aria-busy=${turn === thread.running ? "true" : "false"}>
    ${questionView(turn.question)}
    ${answerView(tenant, turn, actions)}
  </li>`;
}

/** A pasted page as a question scrolls in a box of its own, so that its answer stays in reach. */
function questionView(question) {
  if (question.length <= LONG_QUESTION) return html`<h2 class="question">${question}</h2>`;
  return html`<h2 class="hidden">Long question</h2>
    <div class="question long" tabindex="0" role="region" aria-label="The question">${question}</div>`;
}

function composer(tenant, thread) {
  const isFollowUp = thread.turns.length > 0;
  return html`<form class="composer" @submit=${(event) => submit(event, tenant, thread)}>
    <div class="composer-box">
      <label class="hidden" for="question">${isFollowUp ? "Follow-up question" : "Question"}</label>
      <textarea
        id="question"
        rows="1"
        placeholder=${isFollowUp ? "Ask a follow-up…" : "Ask a question…"}
        .value=${live(thread.draft)}
        @input=${(event) => write(event, thread)}
        @keydown=${(event) => submitOnEnter(event)}
      ></textarea>
      ${thread.running
        ? html`<button class="primary round" type="button" aria-label="Stop" @click=${() => stop(thread)}>
            ${icon("stop")}
          </button>`
        : html`<button class="primary round" aria-label="Ask" ?disabled=${!thread.draft.trim()}>
            ${icon("send")}
          </button>`}
    </div>
    <div class="composer-tools">
      ${narrowPanel(tenant)}
      ${isFollowUp
        ? html`<button type="button" class="quiet" @click=${() => begin(tenant)}>${icon("plus")}New conversation</button>`
        : nothing}
    </div>
  </form>`;
}

function write(event, thread) {
  thread.draft = event.target.value;
  fit(event.target);
  redraw();
}

/** Lets the box grow with its text; what it may grow to is in the style sheet. */
function fit(box) {
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

function submitOnEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
}

function submit(event, tenant, thread) {
  event.preventDefault();
  const question = thread.draft.trim();
  if (!question || thread.running) return;
  thread.draft = "";
  document.getElementById("question").style.height = "auto";
  ask(tenant, question);
}

function begin(tenant) {
  const thread = threadOf(tenant);
  stop(thread);
  Object.assign(thread, { turns: [], conversation: null, announced: "New conversation." });
  loadStats(tenant);
  redraw();
  document.getElementById("question")?.focus();
}

function stop(thread) {
  thread.running?.abort.abort();
}

async function ask(tenant, question) {
  const thread = threadOf(tenant);
  stop(thread);
  closeNarrowing(tenant);
  const turn = newTurn(question);
  thread.turns.push(turn);
  thread.running = turn;
  thread.announced = "Searching.";
  redraw();
  requestAnimationFrame(() => document.querySelector(".turn:last-child")?.scrollIntoView({ block: "start" }));
  const body = { question, stream: true, conversation_id: thread.conversation, ...narrowing(tenant) };
  try {
    await postForEvents(tenantUrl(tenant, "query"), body, (name, data) => receive(turn, name, data), turn.abort.signal);
    if (!turn.answer && !turn.problem) turn.problem = new Error("The answer broke off. Ask again.");
  } catch (problem) {
    turn.problem = problem.name === "AbortError" ? new Error("Stopped.") : problem;
  }
  finish(thread, turn);
}

function newTurn(question) {
  turnsMade += 1;
  return {
    key: turnsMade,
    question,
    text: "",
    citations: [],
    sources: null,
    answer: null,
    problem: null,
    feedback: { helpful: null, comment: "", marks: new Map(), state: null },
    abort: new AbortController(),
  };
}

function receive(turn, name, data) {
  if (name === "sources") turn.sources = data.sources;
  if (name === "token") turn.text += data.text;
  if (name === "citation") turn.citations.push(data);
  if (name === "error") turn.problem = new Problem(data.status, data);
  if (name === "done") {
    turn.answer = data;
    turn.text = data.answer;
    turn.citations = data.citations;
    turn.sources = data.sources;
  }
  redraw();
}

function finish(thread, turn) {
  if (thread.running === turn) thread.running = null;
  if (turn.answer) thread.conversation = turn.answer.conversation_id;
  thread.announced = announcement(turn);
  if (turn.problem?.isRefusal) giveBack(thread, turn.question);
  redraw();
}

/** Puts a question that the server refused back into the box, to be changed there. */
function giveBack(thread, question) {
  if (thread.draft) return;
  thread.draft = question;
  requestAnimationFrame(() => {
    const box = document.getElementById("question");
    if (box) fit(box);
  });
}

/** What a screen reader says once; the text as it streams in would be read word by word. */
function announcement({ answer, problem }) {
  if (!answer) return problem.message;
  if (answer.abstained) return `No answer. ${answer.answer}`;
  const notes = count(answer.citations.length, "footnote");
  return `Answer with ${notes}, confidence ${percent(answer.confidence)}. ${answer.answer}`;
}

