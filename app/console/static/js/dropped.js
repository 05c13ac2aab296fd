/** The files of a drop, those in dropped folders too, each with its path below what was dropped. */

export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = await Promise.all(entries.map((entry) => filesBelow(entry)));
  return found.flat();
}

async function filesBelow(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = entry.createReader();
  const found = [];
  for (let some; (some = await nextEntries(reader)).length; ) found.push(...some);
  const shown = found.filter((one) => !one.name.startsWith("."));
  return (await Promise.all(shown.map((one) => filesBelow(one)))).flat();
}

/** A folder gives its entries in parts. */
function nextEntries(reader) {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
