export function healthView() { return ""; }
