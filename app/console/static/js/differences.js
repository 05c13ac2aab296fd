/** What changed between two texts, word by word, with a little of what stayed the same around it. */

import { diffWordsWithSpace } from "../vendor/diff/diff/word.js";

const CONTEXT = 160; // characters that stay beside a change
const PATIENCE_MS = 3000;

/** Parts of the kinds added, removed, same and gap; empty where the texts are equal. */
export function differences(before, after) {
  const changes = diffWordsWithSpace(before, after, { timeout: PATIENCE_MS });
  if (!changes) return "too different";
  if (!changes.some((part) => part.added || part.removed)) return [];
  return changes.flatMap((part, index) => {
    if (part.added) return [{ kind: "added", text: part.value }];
    if (part.removed) return [{ kind: "removed", text: part.value }];
    return shortened(part.value, index === 0, index === changes.length - 1);
  });
}

function shortened(text, isFirst, isLast) {
  const head = isFirst ? "" : text.slice(0, CONTEXT);
  const tail = isLast ? "" : text.slice(-CONTEXT);
  if (head.length + tail.length >= text.length) return [{ kind: "same", text }];
  return [{ kind: "same", text: head }, { kind: "gap" }, { kind: "same", text: tail }];
}
