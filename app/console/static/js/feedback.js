/** What is done with an answer: copy it with its footnotes, and say whether it helped. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { postJson, remove, tenantUrl } from "./api.js";
import { place } from "./format.js";
import { icon } from "./icons.js";
import { redraw } from "./redraw.js";

export function answerActions(tenant, turn) {
  const { feedback } = turn;
  return html`<div class="actions">
      <button class="quiet" @click=${() => copy(turn)}>${icon("copy")}${turn.copied ? "Copied" : "Copy"}</button>
      <span class="spacer"></span>
      ${thumb(tenant, turn, true, "yes", "Helpful")} ${thumb(tenant, turn, false, "no", "Not helpful")}
    </div>
    ${feedback.state ? html`<p class="fine" role="status">${feedback.state}</p>` : nothing}
    ${feedback.helpful === null ? nothing : feedbackForm(tenant, turn)}`;
}

function thumb(tenant, turn, helpful, name, label) {
  const pressed = turn.feedback.helpful === helpful;
  return html`<button
    class="quiet"
    aria-label=${label}
    title=${label}
    aria-pressed=${pressed ? "true" : "false"}
    @click=${() => judge(tenant, turn, pressed ? null : helpful)}
  >
    ${icon(name)}
  </button>`;
}

function feedbackForm(tenant, turn) {
  return html`<form class="feedback" @submit=${(event) => comment(event, tenant, turn)}>
    ${turn.citations.length
      ? html`<fieldset>
          <legend>Which footnotes are wrong?</legend>
          ${turn.citations.map(
            ({ number, title }) => html`<label class="check">
              <input type="checkbox" name="wrong" value=${number} ?checked=${turn.feedback.marks.get(number) === false} />
              ${number}. ${title}
            </label>`,
          )}
        </fieldset>`
      : nothing}
    <label>
      Comment
      <textarea name="comment" rows="2" maxlength="4000" .value=${turn.feedback.comment}></textarea>
    </label>
    <button>Send</button>
  </form>`;
}

async function judge(tenant, turn, helpful) {
  turn.feedback.helpful = helpful;
  if (helpful === null) await withdraw(tenant, turn);
  else await send(tenant, turn, "Thank you.");
}

async function comment(event, tenant, turn) {
  event.preventDefault();
  const form = new FormData(event.target);
  const wrong = new Set(form.getAll("wrong").map(Number));
  turn.feedback.comment = form.get("comment").trim();
  turn.feedback.marks = new Map([...wrong].map((number) => [number, false]));
  await send(tenant, turn, "Sent. Thank you.");
}

/** Sends all feedback on the answer each time: it replaces what was sent before. */
async function send(tenant, turn, thanks) {
  const { helpful, comment: words, marks } = turn.feedback;
  const citations = [...marks].map(([number, correct]) => ({ number, correct }));
  const body = { answer_id: turn.answer.answer_id, helpful, citations, ...(words ? { comment: words } : {}) };
  await tell(turn, () => postJson(tenantUrl(tenant, "feedback"), body), thanks);
}

async function withdraw(tenant, turn) {
  await tell(turn, () => remove(tenantUrl(tenant, `feedback/${turn.answer.answer_id}`)), "Taken back.");
}

async function tell(turn, call, thanks) {
  try {
    await call();
    turn.feedback.state = thanks;
  } catch (problem) {
    turn.feedback.state = problem.message;
  }
  redraw();
}

async function copy(turn) {
  await toClipboard(citedText(turn));
  turn.copied = true;
  redraw();
  setTimeout(() => {
    turn.copied = false;
    redraw();
  }, 2000);
}

/** The answer as plain text, with its footnotes below. */
export function citedText({ text, citations }) {
  const notes = citations.map((one) => {
    const where = [one.title, place(one), one.source].filter(Boolean).join(", ");
    return `[${one.number}] ${where}: “${one.quote}”`;
  });
  return [text, notes.join("\n")].filter(Boolean).join("\n\n");
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    /* plain HTTP has no clipboard, and a person may have refused it */
  }
  const box = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}
