/** Numbers and dates as people read them, and positions in text. */

const STEPS = {
  filter: "Filters and scope",
  dense: "Meaning",
  sparse: "Words",
  fused: "Fused",
  level: "Level",
  parent: "Parent",
  result: "Result",
};

/** The label of a page of a recording. */
const TIME = /^(\d+:)?\d{1,2}:\d\d$/;

export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

export function count(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

export function bytes(size) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  let value = size;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && unit ? 1 : 0 })} ${units[unit]}`;
}

export function seconds(value) {
  if (value < 0.001) return "< 1 ms";
  if (value < 1) return `${(value * 1000).toLocaleString("en", { maximumFractionDigits: value < 0.01 ? 1 : 0 })} ms`;
  return `${value.toLocaleString("en", { maximumFractionDigits: 1 })} s`;
}

export function when(moment) {
  const options = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
  return new Date(moment).toLocaleString("en", options);
}

/** Where a span of Unicode characters, as the API counts them, lies in a JavaScript string. */
export function unitSpan(text, { start, end }) {
  const from = unitOffset(text, 0, start);
  return { start: from, end: unitOffset(text, from, end - start) };
}

function unitOffset(text, from, characters) {
  let unit = from;
  for (let left = characters; left > 0 && unit < text.length; left -= 1) {
    unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** Where a citation or hit is from, in a few words: its page or its headings. */
export function place(one) {
  const label = one.page_label ?? "";
  if (one.page) return TIME.test(label) ? `at ${label}` : `page ${label || one.page}`;
  const headings = one.headings ?? [];
  return (headings[0] === one.title ? headings.slice(1) : headings).join(" › ");
}

/** A hit's text without the headings at its beginning, which stand beside its title. */
export function passage({ content, headings = [] }) {
  const lines = content.split("\n");
  const known = new Set(headings);
  const first = lines.findIndex((line) => line.trim() && !known.has(line.trim().replace(/^#{1,6}\s+/, "")));
  return first < 0 ? content : lines.slice(first).join("\n");
}

/** A step of a search as the page calls it; a reranker goes by its name in the profile. */
export function stepName(step) {
  return STEPS[step] ?? step;
}
