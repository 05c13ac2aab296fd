export function documentsView() { return ""; }
