/** Convex fusion of the two legs, as the server does it, over the hits at hand. */

const totals = new WeakMap();

/** The hits in the order that `denseWeight` gives them. */
export function fusionOrder(hits, denseWeight) {
  const dense = scaled(hits, "dense");
  const sparse = scaled(hits, "sparse");
  for (const hit of hits) {
    totals.set(hit, denseWeight * (dense.get(hit) ?? 0) + (1 - denseWeight) * (sparse.get(hit) ?? 0));
  }
  return [...hits].sort((one, other) => totals.get(other) - totals.get(one));
}

/** The share that a hit got when the hits were last put in order. */
export function fused(hit) {
  return totals.get(hit) ?? 0;
}

function scaled(hits, leg) {
  const found = hits.filter((hit) => hit.scores[leg]);
  const scores = found.map((hit) => hit.scores[leg].score);
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  return new Map(found.map((hit) => [hit, range ? (hit.scores[leg].score - least) / range : 1]));
}
