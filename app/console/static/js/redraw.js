/** Draws the page again, once, after whatever changed. */

let draw = () => {};
let pending = false;

export function onRedraw(callback) {
  draw = callback;
}

export function redraw() {
  if (pending) return;
  pending = true;
  queueMicrotask(() => {
    pending = false;
    draw();
  });
}
