/** Reads Prometheus' text format: samples with their labels, and histograms made of buckets. */

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** The samples of one tenant. */
export function samplesOf(text, tenant) {
  const samples = [];
  for (const line of text.split("\n")) {
    const found = line.startsWith("#") ? null : SAMPLE.exec(line);
    if (!found) continue;
    const labels = Object.fromEntries([...(found[2] ?? "").matchAll(LABEL)].map(([, name, value]) => [name, value]));
    if (labels.tenant === tenant) samples.push({ name: found[1], labels, value: Number(found[3]) });
  }
  return samples;
}

export function sum(samples, name, labels = {}) {
  return matching(samples, name, labels).reduce((total, sample) => total + sample.value, 0);
}

/** The values of a metric by one of its labels. */
export function byLabel(samples, name, label) {
  const found = matching(samples, name, {}).map((sample) => [sample.labels[label], sample.value]);
  return Object.fromEntries(found.filter(([, value]) => value > 0));
}

/** The bars of a histogram, each with its own count; the last one has no upper end. */
export function histogram(samples, name, labels = {}) {
  const bounds = new Map();
  for (const { labels: own, value } of matching(samples, `${name}_bucket`, labels)) {
    const upper = own.le === "+Inf" ? Infinity : Number(own.le);
    bounds.set(upper, (bounds.get(upper) ?? 0) + value);
  }
  const bars = [];
  let before = { upper: 0, total: 0 };
  for (const [upper, total] of [...bounds].sort(([one], [other]) => one - other)) {
    bars.push({ lower: before.upper, upper, count: total - before.total });
    before = { upper, total };
  }
  return { bars, count: before.total, sum: sum(samples, `${name}_sum`, labels) };
}

/** An estimate: where in its bucket a value lies is not known. */
export function quantile({ bars, count }, share) {
  let left = count * share;
  for (const bar of bars) {
    if (bar.count && left <= bar.count) {
      return Number.isFinite(bar.upper) ? bar.lower + ((bar.upper - bar.lower) * left) / bar.count : bar.lower;
    }
    left -= bar.count;
  }
  return null;
}

function matching(samples, name, labels) {
  const wanted = Object.entries(labels);
  return samples.filter((one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value));
}
