export function labView() { return ""; }
